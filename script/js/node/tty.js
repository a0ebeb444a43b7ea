// node:tty: nothing here is a terminal.
class NoTerminal { constructor() { throw new Error(`${new.target.name} of node:tty is not available in extui: an extension has no terminal`); } }
module.exports = {
	isatty: () => false, ReadStream: class ReadStream extends NoTerminal {}, WriteStream: class WriteStream extends NoTerminal {},
};
