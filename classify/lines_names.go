package classify

// sharedNames keeps one copy of each stream name, label set and tag that recurs.
type sharedNames struct {
	text    map[string]string
	labels  map[labelKey]*Labels
	indices map[int]*int
	scratch []byte
}

type labelKey struct {
	Labels // its MapIndex is nil
	index  int
	mapped bool
}

// namesMost bounds what is kept: an input with more pods than that loses sharing, not correctness.
const namesMost = 4096

func newNames() *sharedNames {
	return &sharedNames{text: map[string]string{}, labels: map[labelKey]*Labels{}, indices: map[int]*int{}}
}

// of returns b as a string.
func (n *sharedNames) of(b []byte) string {
	if s, ok := n.text[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(n.text) < namesMost && len(s) <= 512 {
		n.text[s] = s
	}
	return s
}

// path joins the parts that are not empty with a slash.
func (n *sharedNames) path(parts ...string) string {
	used, only := 0, ""
	for _, p := range parts {
		if p != "" {
			used++
			only = p
		}
	}
	if used < 2 {
		return only
	}
	n.scratch = n.scratch[:0]
	for _, p := range parts {
		if p == "" {
			continue
		}
		if len(n.scratch) > 0 {
			n.scratch = append(n.scratch, '/')
		}
		n.scratch = append(n.scratch, p...)
	}
	return n.of(n.scratch)
}

// set returns the shared copy of l, nil if it says nothing.
func (n *sharedNames) set(l Labels) *Labels {
	k := labelKey{Labels: l}
	if l.MapIndex != nil {
		k.index, k.mapped = *l.MapIndex, true
		k.MapIndex = nil
	}
	if k == (labelKey{}) {
		return nil
	}
	if p, ok := n.labels[k]; ok {
		return p
	}
	p := new(Labels)
	*p = l
	if len(n.labels) < namesMost {
		n.labels[k] = p
	}
	return p
}

func (n *sharedNames) index(i int) *int {
	if p, ok := n.indices[i]; ok {
		return p
	}
	p := &i
	if len(n.indices) < namesMost {
		n.indices[i] = p
	}
	return p
}
