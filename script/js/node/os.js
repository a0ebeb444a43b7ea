// node:os.
const { host } = internal;
const info = JSON.parse(host("os"));
module.exports = {
	EOL: info.platform === "win32" ? "\r\n" : "\n",
	platform: () => info.platform, type: () => info.type, arch: () => info.arch, release: () => info.release, version: () => info.release,
	machine: () => info.machine, hostname: () => info.hostname, endianness: () => "LE",
	homedir: () => process.env[info.platform === "win32" ? "USERPROFILE" : "HOME"] || info.homedir,
	tmpdir: () => (process.env.TMPDIR || info.tmpdir).replace(/(.)[\\/]$/, "$1"),
	userInfo: () => ({ username: info.username, uid: info.uid, gid: info.gid, homedir: info.homedir, shell: process.env.SHELL ?? null }),
	cpus: () => Array.from({ length: info.cpus }, () => ({ model: "", speed: 0, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } })),
	availableParallelism: () => info.cpus,
	totalmem: () => info.totalmem, freemem: () => info.freemem, loadavg: () => [0, 0, 0], uptime: () => host("now") / 1000, networkInterfaces: () => ({}),
	devNull: info.platform === "win32" ? "\\\\.\\nul" : "/dev/null",
	constants: { signals: { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGUSR1: 10, SIGUSR2: 12, SIGTERM: 15 } },
};
