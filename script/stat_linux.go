package script

import "syscall"

// Times of a file, in milliseconds.
func accessTime(s *syscall.Stat_t) float64 { return float64(s.Atim.Nano()/1000) / 1000 }
func changeTime(s *syscall.Stat_t) float64 { return float64(s.Ctim.Nano()/1000) / 1000 }
