// What modules of Node.js have and ours lack, by the file: such a name is an error that says so
// when it is called. What Node.js lacks as well is undefined here too.
const names = {
	"node/path": "",
	"node/url": "fileURLToPathBuffer",
	"node/os": "getPriority setPriority",
	"node/fs": "FileReadStream FileWriteStream lchown lchownSync lutimes lutimesSync openAsBlob readv readvSync statfs statfsSync writev writevSync",
	"node/fs_promises": "lchmod lchown lutimes statfs watch",
	"node/child_process": "",
	"node/crypto": "Certificate Cipheriv Decipheriv DiffieHellman DiffieHellmanGroup ECDH Hmac KeyObject Sign Verify X509Certificate checkPrime checkPrimeSync createCipheriv createDecipheriv createDiffieHellman createDiffieHellmanGroup createECDH createPrivateKey createPublicKey createSecretKey createSign createVerify diffieHellman generateKey generateKeyPair generateKeyPairSync generateKeySync generatePrime generatePrimeSync getCipherInfo getCiphers getCurves getDiffieHellman getFips hkdf hkdfSync pbkdf2 pbkdf2Sync privateDecrypt privateEncrypt prng publicDecrypt publicEncrypt randomFill rng scrypt scryptSync secureHeapUsed setEngine setFips sign verify",
	"node/util": "MIMEParams MIMEType aborted debug diff formatWithOptions getCallSite getCallSites getSystemErrorMap getSystemErrorMessage getSystemErrorName isBoolean isBuffer isDate isError isFunction isNull isNullOrUndefined isNumber isObject isPrimitive isRegExp isString isSymbol isUndefined log parseEnv setTraceSigInt transferableAbortController transferableAbortSignal",
	"node/events": "EventEmitterAsyncResource init",
	"node/buffer": "File SlowBuffer isAscii resolveObjectURL transcode",
	"node/timers": "active enroll unenroll",
	"node/timers_promises": "",
	"node/process": "assert availableMemory constrainedMemory dlopen execve getActiveResourcesInfo getgroups hasUncaughtExceptionCaptureCallback initgroups loadEnvFile openStdin reallyExit ref setSourceMapsEnabled setUncaughtExceptionCaptureCallback setegid seteuid setgid setgroups setuid threadCpuUsage unref",
	"node/stream": "duplexPair isDestroyed setDefaultHighWaterMark",
	"node/stream_promises": "",
	"node/stream_consumers": "",
	"node/readline": "clearLine clearScreenDown cursorTo emitKeypressEvents moveCursor",
	"node/readline_promises": "Readline",
	"node/zlib": "BrotliCompress BrotliDecompress Deflate DeflateRaw Gunzip Gzip Inflate InflateRaw Unzip ZstdCompress ZstdDecompress brotliCompress brotliCompressSync brotliDecompress brotliDecompressSync createBrotliCompress createBrotliDecompress createZstdCompress createZstdDecompress zstdCompress zstdCompressSync zstdDecompress zstdDecompressSync",
	"node/module": "Module SourceMap enableCompileCache findPackageJSON findSourceMap flushCompileCache getCompileCacheDir getSourceMapsSupport register registerHooks runMain setSourceMapsSupport stripTypeScriptTypes syncBuiltinESMExports wrap",
	"node/assert": "Assert CallTracker",
	"node/assert_strict": "Assert CallTracker",
	"node/string_decoder": "",
	"node/querystring": "",
	"node/perf_hooks": "PerformanceObserverEntryList PerformanceResourceTiming",
	"node/util_types": "",
	"node/tty": "",
	"node/async_hooks": "",
	"node/path_win32": "",
};
const sets = new Map();
exports.lacks = (file, key) => {
	if (!(file in names)) return undefined;
	if (!sets.has(file)) sets.set(file, new Set(names[file].split(" ")));
	return sets.get(file).has(key);
};
