package script

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// intlOps are the host functions behind js/intl.js: time zones, which Go knows.
func intlOps() hostOps {
	return hostOps{
		// name, "" for that of the system, and milliseconds since 1970.
		"zone": func(a arguments) (any, error) {
			zone, err := location(a.text(0))
			if err != nil {
				return nil, nil // there is none of that name
			}
			short, offset := time.UnixMilli(int64(a.number(1))).In(zone.at).Zone()
			return encodeJSON(map[string]any{"name": zone.name, "short": short, "offset": offset})
		},
	}
}

type zone struct {
	name string
	at   *time.Location
}

// location finds a time zone by its name, whatever its case is.
func location(name string) (zone, error) {
	switch strings.ToUpper(name) {
	case "":
		return zone{localZone(), time.Local}, nil
	case "UTC", "GMT", "ETC/UTC", "ETC/GMT":
		return zone{"UTC", time.UTC}, nil
	}
	at, err := time.LoadLocation(name)
	if err != nil {
		return zone{}, err
	}
	return zone{name, at}, nil
}

// localZone returns the name of the system's time zone, "UTC" if it says none.
func localZone() string {
	name := strings.TrimPrefix(os.Getenv("TZ"), ":")
	if name == "" {
		link, _ := filepath.EvalSymlinks("/etc/localtime") // none on some systems
		_, name, _ = strings.Cut(filepath.ToSlash(link), "/zoneinfo/")
	}
	if z, err := location(name); err == nil && name != "" {
		return z.name
	}
	return "UTC"
}
