module.exports = require("node/path").win32;
