package sources

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// smallWindow is the largest window that zstd's usual levels ask for. Decoders of larger ones are not kept, and only
// one archive at a time may have one.
const smallWindow = 8 << 20

var errWindow = errors.New("its zstd window is too large")

// zstdReader tells a window that is too large from other errors.
type zstdReader struct {
	*zstd.Decoder
	limit int64
}

func (z zstdReader) Read(p []byte) (int, error) {
	n, err := z.Decoder.Read(p)
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		err = fmt.Errorf("%w: more than %d bytes", errWindow, z.limit)
	}
	return n, err
}

// unzstd returns a decompressor of r and what to call when it is no longer needed.
func (u *unpacker) unzstd(ctx context.Context, c *content, r io.Reader) (io.Reader, func(), error) {
	if zstdWindow(c.head) > smallWindow {
		if err := u.hold(ctx, c.budget); err != nil {
			return nil, nil, err
		}
		d, err := u.newDecoder()
		if err == nil {
			err = d.Reset(r)
		}
		if err != nil {
			return nil, nil, err
		}
		return zstdReader{d, u.limits.Memory}, d.Close, nil
	}
	d, ok := u.zstds.Get().(*zstd.Decoder)
	if !ok {
		var err error
		if d, err = u.newDecoder(); err != nil {
			return nil, nil, err
		}
	}
	if err := d.Reset(r); err != nil {
		return nil, nil, err
	}
	return zstdReader{d, u.limits.Memory}, func() {
		d.Reset(nil)
		u.zstds.Put(d)
	}, nil
}

func (u *unpacker) newDecoder() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderMaxWindow(uint64(u.limits.Memory)), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderConcurrency(1))
}

// zstdWindow is the window that the first frame in head asks for, 0 where head does not say.
func zstdWindow(head []byte) uint64 {
	var h zstd.Header
	for h.Decode(head) == nil {
		if !h.Skippable {
			if h.SingleSegment {
				return h.FrameContentSize
			}
			return h.WindowSize
		}
		skip := uint64(h.HeaderSize) + uint64(h.SkippableSize)
		if skip == 0 || skip >= uint64(len(head)) {
			break
		}
		head, h = head[skip:], zstd.Header{}
	}
	return 0
}
