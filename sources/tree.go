package sources

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
)

// item is a piece of work in a walk: a directory, or some files of one that another goroutine is still listing.
type item struct {
	path  string   // of the directory; "" where files are full paths
	files []string // nil: the directory itself
}

// walk goes through directory trees with several goroutines that share one stack of items. Each reads the files of its
// directory itself: handing every file to another goroutine costs more than reading it.
type walk struct {
	u       *unpacker
	workers int
	skip    map[string]bool // directories that were walked under another name

	mu    sync.Mutex
	more  sync.Cond
	stack []item
	busy  int // goroutines that may still push
	idle  atomic.Int32
	links []string // symbolic links met, for later
}

// splitFrom is how many files of one directory are worth sharing with an idle goroutine.
const splitFrom = 32

// tree yields every log below the directory arg, each once whatever links lead there.
func (u *unpacker) tree(ctx context.Context, arg string, workers int) {
	w := &walk{u: u, workers: workers}
	w.more.L = &w.mu
	f := followed{walk: w}
	root := rootName(arg)
	f.add(root, nil)
	w.run(ctx, []item{{path: root}})
	for ctx.Err() == nil && len(w.links) > 0 {
		w.run(ctx, f.follow())
	}
}

// rootName is the path that names below arg are built on: cleaned, unless a ".." behind a symbolic link makes
// that another directory.
func rootName(arg string) string {
	clean := filepath.Clean(arg)
	a, err := os.Stat(arg)
	b, err2 := os.Stat(clean)
	if err == nil && (err2 != nil || !os.SameFile(a, b)) {
		clean = arg
	}
	return filepath.ToSlash(clean)
}

// join is the path of name in dir. The working directory is not spelled.
func join(dir, name string) string {
	if dir == "." || dir == "" {
		return name
	}
	if strings.HasSuffix(dir, "/") {
		return dir + name
	}
	return dir + "/" + name
}

// run works on items and on whatever they lead to.
func (w *walk) run(ctx context.Context, items []item) {
	w.stack, w.busy = append(w.stack[:0], items...), 0
	w.idle.Store(0)
	var all sync.WaitGroup
	for range w.workers {
		all.Go(func() { w.work(ctx) })
	}
	all.Wait()
}

func (w *walk) work(ctx context.Context) {
	s, f := new(scratch), new(folder)
	for {
		it, ok := w.take()
		if !ok {
			return
		}
		for ok && ctx.Err() == nil {
			it, ok = w.step(ctx, s, f, it)
		}
		w.done(ctx)
	}
}

// take waits for an item; false when there are no more and nobody is left to push any.
func (w *walk) take() (item, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.stack) == 0 {
		if w.busy == 0 {
			return item{}, false
		}
		w.idle.Add(1)
		w.more.Wait()
		w.idle.Add(-1)
	}
	it := w.stack[len(w.stack)-1]
	w.stack = w.stack[:len(w.stack)-1]
	w.busy++
	return it, true
}

// done says that what was taken is finished.
func (w *walk) done(ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if ctx.Err() != nil {
		w.stack = nil
	}
	if w.busy--; w.busy == 0 && len(w.stack) == 0 {
		w.more.Broadcast()
	}
}

func (w *walk) push(items ...item) {
	if len(items) == 0 {
		return
	}
	w.mu.Lock()
	w.stack = append(w.stack, items...)
	w.mu.Unlock()
	if w.idle.Load() > 0 {
		w.more.Broadcast()
	}
}

// step works on one item and returns a directory in it to go on with, which saves the way over the stack.
func (w *walk) step(ctx context.Context, s *scratch, f *folder, it item) (next item, ok bool) {
	if it.files != nil {
		for _, name := range it.files {
			if ctx.Err() != nil {
				break
			}
			path := join(it.path, name)
			w.u.file(ctx, s, nil, path, path, false)
		}
		return item{}, false
	}
	if w.skip[it.path] {
		return item{}, false
	}
	if err := f.open(it.path); err != nil {
		w.u.problem(trouble(it.path, fmt.Errorf("open directory: %w", bare(err)), true))
		return item{}, false
	}
	defer f.close()
	for ctx.Err() == nil {
		list, err := f.next()
		if err != nil {
			w.u.problem(trouble(it.path, fmt.Errorf("read directory: %w", bare(err)), true))
		}
		if len(list) == 0 {
			break
		}
		if dirs := w.sort(it.path, list); len(dirs) > 0 {
			if !ok {
				next, ok, dirs = dirs[0], true, dirs[1:]
			}
			w.push(dirs...)
		}
		for i := 0; i < len(list) && ctx.Err() == nil; i++ {
			if i%splitFrom == 0 && len(list)-i > splitFrom && w.idle.Load() > 0 {
				list = w.share(it.path, list, i+(len(list)-i)/2)
			}
			if list[i].mode.IsRegular() {
				w.u.file(ctx, s, f, list[i].name, join(it.path, list[i].name), false)
			}
		}
	}
	return next, ok
}

// sort returns the directories among the entries of dir, keeps the links for later and reports what can be neither.
func (w *walk) sort(dir string, list []entry) (dirs []item) {
	for _, e := range list {
		switch {
		case e.mode.IsRegular():
		case e.mode.IsDir():
			dirs = append(dirs, item{path: join(dir, e.name)})
		case e.mode&fs.ModeSymlink != 0:
			w.mu.Lock()
			w.links = append(w.links, join(dir, e.name))
			w.mu.Unlock()
		default:
			w.u.problem(notLog(join(dir, e.name), e.mode))
		}
	}
	return dirs
}

// share gives the files from mid on to an idle goroutine and returns the entries that are left.
func (w *walk) share(dir string, list []entry, mid int) []entry {
	it := item{path: dir, files: make([]string, 0, len(list)-mid)}
	for _, e := range list[mid:] {
		if e.mode.IsRegular() {
			it.files = append(it.files, e.name)
		}
	}
	w.push(it)
	return list[:mid]
}

// notLog is the problem of a thing in a tree that is not read, because that could block or never end.
func notLog(name string, mode fs.FileMode) Problem {
	return Problem{name, errors.New("not read, it is a " + special(mode)),
		"remove it from the tree, or if somebody writes a log into it, name it alone: lastwords " + quote(name)}
}
