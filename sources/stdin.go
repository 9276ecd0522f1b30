package sources

import (
	"context"
	"errors"
	"io"
)

// stdin is the reader in Options as a source.
type stdin struct{ opt Options }

func (s stdin) Logs(ctx context.Context, _ int, yield func(Log), problem func(Problem)) {
	if s.opt.Stdin == nil {
		problem(Problem{"-", errors.New("there is no standard input"), "name a log: lastwords LOG"})
		return
	}
	newUnpacker(s.opt, yield, problem).stream(ctx, "-", s.opt.Stdin)
}

// stream yields what is in a stream that cannot seek and may block.
func (u *unpacker) stream(ctx context.Context, name string, r io.Reader) {
	buf := u.head()
	defer u.heads.Put(buf)
	widen(r)
	a := startAhead(ctx, r, nil, false)
	abandon := func() { a.abandon(r) }
	defer abandon()
	w := &watched{name: name, r: a}
	c := &content{name: name, size: -1, named: true, stream: w, abandon: abandon}
	c.fill(buf[:])
	switch k, _ := sniff(c.head); {
	case ctx.Err() == nil && (len(c.head) > 0 || c.fault == nil):
		u.unpack(ctx, c)
	case len(c.head) > 0 && k == plain: // interrupted, and what had arrived until then may be all there is
		u.yield(Log{Name: name, Size: -1, Head: c.head, Stream: c.reader(), Named: true})
	}
	if w.err != nil {
		u.problem(trouble(name, w.err, false))
	}
}
