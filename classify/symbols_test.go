package classify

import (
	"fmt"
	"testing"
)

func TestSymbols(t *testing.T) {
	var low symbols
	for i := range 1000 {
		if n := low.idOf(fmt.Sprint(i / 2)); n != uint32(i/2+1) {
			t.Fatalf("%d is number %d", i/2, n)
		}
	}
	high := symbols{below: &low}
	for i := range 1500 {
		if n := high.idOf(fmt.Sprint(i)); n != uint32(i+1) || high.string(n) != fmt.Sprint(i) {
			t.Fatalf("%d is number %d, which is %q", i, n, high.string(n))
		}
	}
	if low.len() != 501 || high.len() != 1501 || high.idOf("") != 0 || high.string(0) != "" {
		t.Errorf("%d below, %d in all", low.len(), high.len())
	}
}
