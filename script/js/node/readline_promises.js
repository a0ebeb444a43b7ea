module.exports = require("node/readline").promises;
