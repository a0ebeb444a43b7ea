package script

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
)

// zlibOps are the host functions behind node:zlib: what to do ("+" packs, "-" unpacks,
// and the format), bytes, level, the most bytes to give back or 0.
func (e *engine) zlibOps() hostOps {
	return hostOps{
		"zlib": func(a arguments) (any, error) {
			e.watch.pause()
			defer e.watch.resume()
			return e.pack(a)
		},
		"zlibasync": func(a arguments) (any, error) {
			rest := slices.Clone(a[1:])
			e.async(a.integer(0), func() (any, error) { return e.pack(rest) })
			return nil, nil
		},
		"crc32": func(a arguments) (any, error) {
			b, err := a.bytes(0)
			return float64(crc32.Update(uint32(a.number(1)), crc32.IEEETable, b)), err
		},
	}
}

// codedError is an error that JavaScript knows by its code.
type codedError struct{ code, text string }

func (e *codedError) Error() string { return e.text }

func (e *engine) pack(a arguments) (any, error) {
	in, err := a.bytes(1)
	if err != nil {
		return nil, err
	}
	var out []byte
	if how := a.text(0); how[0] == '+' {
		out, err = compress(how[1:], in, a.integer(2))
	} else {
		// What JavaScript could not hold is not unpacked for it.
		limit := a.number(3)
		if most := float64(e.limits.Memory); most > 0 && (limit <= 0 || limit > most) {
			limit = most
		}
		out, err = decompress(how[1:], in, int64(limit))
	}
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.EncodeToString(out), nil
}

func compress(format string, in []byte, level int) ([]byte, error) {
	var out bytes.Buffer
	var w io.WriteCloser
	var err error
	switch format {
	case "gzip":
		w, err = gzip.NewWriterLevel(&out, level)
	case "zlib":
		w, err = zlib.NewWriterLevel(&out, level)
	default:
		w, err = flate.NewWriter(&out, level)
	}
	if err != nil {
		return nil, &codedError{"ERR_OUT_OF_RANGE", fmt.Sprintf(`The value of "options.level" is out of range. It must be >= -1 and <= 9. Received %d`, level)}
	}
	_, err = w.Write(in)
	if err = errors.Join(err, w.Close()); err != nil {
		return nil, fmt.Errorf("pack %d bytes: %w", len(in), err)
	}
	return out.Bytes(), nil
}

// decompress gives back at most limit bytes; not positive means any number.
func decompress(format string, in []byte, limit int64) ([]byte, error) {
	source := bytes.NewReader(in)
	var r io.Reader
	var err error
	if format == "any" {
		format = "zlib"
		if bytes.HasPrefix(in, []byte{0x1f, 0x8b}) {
			format = "gzip"
		}
	}
	switch format {
	case "gzip":
		if magic := []byte{0x1f, 0x8b}; !bytes.HasPrefix(in, magic[:min(len(in), 2)]) {
			err = gzip.ErrHeader // and not, as Go says of little, that the rest is missing
			break
		}
		r, err = gzip.NewReader(source)
	case "zlib":
		r, err = zlib.NewReader(source)
	default:
		r = flate.NewReader(source)
	}
	var out []byte
	if err == nil {
		if limit > 0 {
			r = io.LimitReader(r, limit+1)
		}
		out, err = io.ReadAll(r)
	}
	var corrupt flate.CorruptInputError
	switch {
	case err == nil && limit > 0 && int64(len(out)) > limit:
		return nil, &codedError{"ERR_BUFFER_TOO_LARGE", fmt.Sprintf("Cannot create a Buffer larger than %d bytes", limit)}
	case err == nil:
		return out, nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, &codedError{"Z_BUF_ERROR", "unexpected end of file"}
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, zlib.ErrHeader):
		return nil, &codedError{"Z_DATA_ERROR", "incorrect header check"}
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, zlib.ErrChecksum):
		return nil, &codedError{"Z_DATA_ERROR", "incorrect data check"}
	case errors.As(err, &corrupt):
		return nil, &codedError{"Z_DATA_ERROR", "invalid compressed data"}
	}
	return nil, &codedError{"Z_DATA_ERROR", err.Error()}
}
