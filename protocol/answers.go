package protocol

// AppendAnswers appends answers as section "questionnaire" writes them, for
// records that carry answers besides a [Response]. They are not checked.
func AppendAnswers(dst []byte, answers Answers) []byte {
	return appendAnswers(dst, &Questionnaire{}, answers)
}
