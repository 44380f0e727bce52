package promotion

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// zipOverhead is how many bytes of a zip beside the compressed files are taken
// for each entry, on average.
const zipOverhead = 1024

// The records of a zip. Source: PKWARE's APPNOTE, sections 4.3.7 to 4.3.16.
const (
	zipLocal   = 0x04034b50
	zipCentral = 0x02014b50
	zipEnd     = 0x06054b50
	zipData    = 0x08074b50

	zipLocalLen   = 30
	zipCentralLen = 46
	zipEndLen     = 22
)

// A zip says twice what is in it: before each file, and in the directory at its
// end. Some programs go by the one, some by the other. checkZip sees to it that
// both say the same, and that there is nothing before, between and behind the
// records; then there is one reading of the archive. It returns the number of
// entries. A zip that needs 64-bit sizes is too large anyway.
func checkZip(r io.ReaderAt, size int64, most int) (int, error) {
	z := &zipCheck{r: r, size: size}
	end, err := z.end()
	if err != nil {
		return 0, err
	}
	if end.records > most {
		return 0, errTooMany
	}
	entries, err := z.directory(end)
	if err != nil {
		return 0, err
	}
	at := int64(0)
	for _, e := range entries {
		if at, err = z.local(at, e); err != nil {
			return 0, err
		}
	}
	if at != end.offset {
		return 0, errors.New("there is something between the files and the directory")
	}
	return len(entries), nil
}

type zipCheck struct {
	r    io.ReaderAt
	size int64
}

type zipEndRecord struct {
	at, offset, length int64
	records            int
}

type zipEntryRecord struct {
	name            string
	flags, method   uint16
	crc             uint32
	packed, size    uint32
	offset          int64
	nameLen, extras int
}

// read reads so many bytes at an offset.
func (z *zipCheck) read(at int64, n int) ([]byte, error) {
	if at < 0 || int64(n) > z.size-at {
		return nil, errors.New("it is cut off")
	}
	b := make([]byte, n)
	if m, err := z.r.ReadAt(b, at); m < n {
		return nil, fmt.Errorf("it can't be read: %w", err)
	}
	return b, nil
}

// end reads the last record. Its comment must reach to the end of the archive; a
// second such record, in the comment or before it, would make it two archives.
func (z *zipCheck) end() (zipEndRecord, error) {
	tail, ends, err := z.ends()
	switch {
	case err != nil:
		return zipEndRecord{}, err
	case len(ends) == 0:
		return zipEndRecord{}, errors.New("it is cut off, or there is something behind its end")
	case len(ends) > 1 || bytes.Contains(tail[ends[0]+1:], []byte("PK\x05\x06")):
		return zipEndRecord{}, errors.New("it has two ends")
	}
	b := tail[ends[0]:]
	u16, u32 := binary.LittleEndian.Uint16, binary.LittleEndian.Uint32
	e := zipEndRecord{
		at:      z.size - int64(len(b)),
		records: int(u16(b[10:])),
		length:  int64(u32(b[12:])),
		offset:  int64(u32(b[16:])),
	}
	if disks := u32(b[4:]); disks != 0 || int(u16(b[8:])) != e.records {
		return zipEndRecord{}, errors.New("it is a part of several")
	}
	if e.offset+e.length != e.at {
		return zipEndRecord{}, errors.New("its directory isn't where it says, or it needs 64-bit sizes")
	}
	return e, nil
}

// ends returns the end of the archive, and where in it there are last
// records whose comments reach to the end.
func (z *zipCheck) ends() (tail []byte, ends []int, err error) {
	n := min(z.size, zipEndLen+0xffff)
	if tail, err = z.read(z.size-n, int(n)); err != nil {
		return nil, nil, err
	}
	for i := 0; i+zipEndLen <= len(tail); i++ {
		if j := bytes.Index(tail[i:], []byte("PK\x05\x06")); j < 0 {
			break
		} else if i += j; i+zipEndLen <= len(tail) && int(binary.LittleEndian.Uint16(tail[i+20:])) == len(tail)-i-zipEndLen {
			ends = append(ends, i)
		}
	}
	return tail, ends, nil
}

// directory reads the directory, and returns its entries in the order in which
// the files stand in the archive.
func (z *zipCheck) directory(end zipEndRecord) ([]zipEntryRecord, error) {
	entries := make([]zipEntryRecord, 0, end.records)
	at := end.offset
	for range end.records {
		b, err := z.read(at, zipCentralLen)
		if err != nil {
			return nil, err
		}
		u16, u32 := binary.LittleEndian.Uint16, binary.LittleEndian.Uint32
		if u32(b) != zipCentral {
			return nil, errors.New("its directory is damaged")
		}
		e := zipEntryRecord{
			flags: u16(b[8:]), method: u16(b[10:]), crc: u32(b[16:]), packed: u32(b[20:]), size: u32(b[24:]),
			nameLen: int(u16(b[28:])), extras: int(u16(b[30:])) + int(u16(b[32:])), offset: int64(u32(b[42:])),
		}
		name, err := z.read(at+zipCentralLen, e.nameLen)
		if err != nil {
			return nil, err
		}
		e.name = string(name)
		entries = append(entries, e)
		at += zipCentralLen + int64(e.nameLen) + int64(e.extras)
	}
	if at != end.at {
		return nil, errors.New("there is something in its directory beside the entries")
	}
	slices.SortStableFunc(entries, func(a, b zipEntryRecord) int { return cmp.Compare(a.offset, b.offset) })
	return entries, nil
}

// local compares what stands before a file with the directory. It returns
// where the file ends.
func (z *zipCheck) local(at int64, e zipEntryRecord) (int64, error) {
	if e.offset != at {
		return 0, fmt.Errorf("%s isn't where it should be: files overlap, or there is something between them", shown(e.name))
	}
	b, err := z.read(at, zipLocalLen)
	if err != nil {
		return 0, err
	}
	u16, u32 := binary.LittleEndian.Uint16, binary.LittleEndian.Uint32
	if u32(b) != zipLocal {
		return 0, fmt.Errorf("%s isn't where its directory says", shown(e.name))
	}
	nameLen, extra := int(u16(b[26:])), int(u16(b[28:]))
	name, err := z.read(at+zipLocalLen, nameLen)
	if err != nil {
		return 0, err
	}
	const described = 1 << 3 // sizes and checksum follow the file
	flags := u16(b[6:])
	switch {
	case string(name) != e.name:
		return 0, fmt.Errorf("%s is called %s in its directory", shown(string(name)), shown(e.name))
	case u16(b[8:]) != e.method, flags&(1|described) != e.flags&(1|described):
		return 0, fmt.Errorf("%s is described in two ways", shown(e.name))
	case flags&described == 0:
		more, err := z.read(at+zipLocalLen+int64(nameLen), extra)
		if err != nil {
			return 0, err
		}
		size, packed := localSizes(u32(b[22:]), u32(b[18:]), more)
		if u32(b[14:]) != e.crc || size != uint64(e.size) || packed != uint64(e.packed) {
			return 0, fmt.Errorf("%s has two sizes or checksums", shown(e.name))
		}
	}
	at += zipLocalLen + int64(nameLen) + int64(extra) + int64(e.packed)
	if at > z.size {
		return 0, fmt.Errorf("%s is cut off", shown(e.name))
	}
	if flags&described != 0 {
		return z.described(at, e)
	}
	return at, nil
}

// localSizes returns the sizes before a file: those of the 64-bit extra field,
// if they are said to be there. Writers that don't know beforehand how much
// comes put even small ones there.
func localSizes(size, packed uint32, extra []byte) (wideSize, widePacked uint64) {
	const wide, id = 0xffffffff, 1
	if size != wide || packed != wide {
		return uint64(size), uint64(packed)
	}
	for len(extra) >= 4 {
		n := int(binary.LittleEndian.Uint16(extra[2:]))
		if n > len(extra)-4 {
			break
		}
		if binary.LittleEndian.Uint16(extra) == id && n >= 16 {
			return binary.LittleEndian.Uint64(extra[4:]), binary.LittleEndian.Uint64(extra[12:])
		}
		extra = extra[4+n:]
	}
	return wide, wide
}

// described skips the sizes and the checksum behind a file, in one of the four
// forms that are about: with or without a signature, with 32-bit or 64-bit sizes.
func (z *zipCheck) described(at int64, e zipEntryRecord) (int64, error) {
	var forms [][]byte
	for _, sig := range []bool{true, false} {
		for _, wide := range []bool{false, true} {
			var f []byte
			if sig {
				f = binary.LittleEndian.AppendUint32(f, zipData)
			}
			f = binary.LittleEndian.AppendUint32(f, e.crc)
			if wide {
				f = binary.LittleEndian.AppendUint64(f, uint64(e.packed))
				f = binary.LittleEndian.AppendUint64(f, uint64(e.size))
			} else {
				f = binary.LittleEndian.AppendUint32(f, e.packed)
				f = binary.LittleEndian.AppendUint32(f, e.size)
			}
			forms = append(forms, f)
		}
	}
	for _, f := range forms {
		b, err := z.read(at, len(f)+4)
		if err != nil || !bytes.Equal(b[:len(f)], f) {
			continue
		}
		if next := binary.LittleEndian.Uint32(b[len(f):]); next == zipLocal || next == zipCentral {
			return at + int64(len(f)), nil
		}
	}
	return 0, fmt.Errorf("%s doesn't end as its directory says", shown(e.name))
}

// endsAsZip says whether something that begins otherwise can be read as a zip
// from its end.
func endsAsZip(r io.ReaderAt, size int64) bool {
	_, ends, err := (&zipCheck{r: r, size: size}).ends()
	return err == nil && len(ends) > 0
}
