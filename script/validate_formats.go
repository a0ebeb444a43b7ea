package script

import (
	"net/netip"
	"regexp"
	"strings"
	"time"
)

var (
	emailText    = regexp.MustCompile("(?i)^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$")
	uuidText     = regexp.MustCompile(`(?i)^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$`)
	hostText     = regexp.MustCompile(`(?i)^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$`)
	uriText      = regexp.MustCompile(`(?i)^[a-z][a-z0-9+.-]*:(?:[a-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9a-f]{2})*$`)
	durationText = regexp.MustCompile(`^P(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$`)
	pointerText  = regexp.MustCompile(`^(?:/(?:[^~/]|~0|~1)*)*$`)
	timeText     = regexp.MustCompile(`(?i)^\d\d:\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d:\d\d)$`)
)

// formats are those of JSON Schema that the inputs of tools are held to. Others pass.
var formats = map[string]func(string) bool{
	"date": isDate,
	"time": isTime,
	"date-time": func(s string) bool {
		date, clock, ok := strings.Cut(strings.ToUpper(s), "T")
		return ok && isDate(date) && isTime(clock)
	},
	"duration": func(s string) bool {
		return durationText.MatchString(s) && !strings.HasSuffix(s, "P") && !strings.HasSuffix(s, "T")
	},
	"email": emailText.MatchString,
	"uuid":  uuidText.MatchString,
	"ipv4": func(s string) bool {
		a, err := netip.ParseAddr(s)
		return err == nil && a.Is4()
	},
	"ipv6": func(s string) bool {
		a, err := netip.ParseAddr(s)
		return err == nil && a.Is6() && a.Zone() == ""
	},
	"hostname":     func(s string) bool { return len(s) <= 253 && hostText.MatchString(s) },
	"uri":          uriText.MatchString,
	"url":          uriText.MatchString,
	"json-pointer": pointerText.MatchString,
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

func isTime(s string) bool {
	if !timeText.MatchString(s) {
		return false
	}
	s = strings.ToUpper(s)
	if s[6:8] == "60" { // a leap second
		s = s[:6] + "59" + s[8:]
	}
	_, err := time.Parse("15:04:05.999999999Z07:00", s)
	return err == nil
}
