//go:build !windows

package script

import (
	"io/fs"
	"syscall"
)

// addSystemStat adds what only the system knows of a file.
func addSystemStat(s *fileStat, info fs.FileInfo) {
	raw, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return
	}
	s.Dev, s.Ino, s.Nlink, s.Rdev = uint64(raw.Dev), raw.Ino, uint64(raw.Nlink), uint64(raw.Rdev)
	s.Access, s.Change = accessTime(raw), changeTime(raw)
	s.Birth = s.Change // when it was made is not known everywhere
	s.UID, s.GID, s.BlkSize, s.Blocks = raw.Uid, raw.Gid, int64(raw.Blksize), raw.Blocks
}
