package rules

// Facts lists the words that a rule's `fact` may say: the vocabulary in which package classify reads evidence.
// A rule file that uses another word is rejected.
var Facts = []string{
	"start",
	"success",
}
