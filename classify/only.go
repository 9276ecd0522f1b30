package classify

import (
	"strings"
)

// lone is the one task instance that all records name which name any.
type lone struct {
	key  string
	list []int
}

// onlyOne: an anonymous log beside records that name exactly one task instance.
func (j *joiner) onlyOne(t *Try) (list []int, all []*mention) {
	if len(j.tries) != 1 && !oneFolder(j.tries) {
		return nil, nil
	}
	if j.lone == nil {
		j.lone = j.findLone()
	}
	for _, i := range j.lone.list {
		if j.step(); j.stopped {
			return nil, nil
		}
		m := j.mention(i)
		if m.id.Try != 0 && t.Try != 0 && m.id.Try != t.Try {
			continue
		}
		if !j.inTime(m, t) || len(j.tries) > 1 && j.lastStarted(j.tries, m) != t {
			continue
		}
		list, all = append(list, i), append(all, m)
	}
	if len(list) > 0 {
		t.Joined = append(t.Joined, Join{Object: strings.TrimSpace(j.lone.key), By: "only-one"})
	}
	return list, all
}

func (j *joiner) findLone() *lone {
	found := &lone{}
	var task uint64
	run, before := "", uint32(0)
	j.names.each(func(i, l int, n *note) bool {
		name, _ := j.speaksOf(l, n)
		k := j.names.tasks[name]
		if k == 0 {
			return true
		}
		if name != before {
			before = name
			x := nameAt(&j.names.names, name)
			r := j.names.words.string(x.run)
			if task != 0 && k != task || run != "" && r != "" && !sameRun(run, r) {
				found = &lone{}
				return false
			}
			if task = k; run == "" {
				run = r
			}
			if found.key == "" {
				if found.key = j.names.words.string(x.dotted); found.key == "" {
					found.key = dottedKey(j.names.words.string(x.dag), j.names.words.string(x.task))
				}
			}
		}
		found.list = append(found.list, i)
		return true
	})
	return found
}

func oneFolder(tries []*Try) bool {
	for _, t := range tries {
		if t.own == nil || t.own.name.folder != tries[0].own.name.folder || !t.own.name.attempt {
			return false
		}
	}
	return len(tries) > 0
}
