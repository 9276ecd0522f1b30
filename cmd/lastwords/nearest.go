package main

import "strings"

// nearest returns the candidate closest to word, or "" where none is close enough to be meant.
func nearest(word string, candidates []string) string {
	word = strings.ToLower(word)
	far := max(2, len(word)/3)
	best, dist := "", far+1
	for _, c := range candidates {
		d := distance(word, strings.ToLower(c))
		if len(word) >= 3 && d > far && (strings.HasPrefix(c, word) || strings.HasSuffix(c, "-"+word)) {
			d = far
		}
		if d < dist {
			best, dist = c, d
		}
	}
	return best
}

// distance is the number of single letters to insert, delete, replace or swap with their neighbour to turn a into b.
func distance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
