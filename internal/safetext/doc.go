// Package safetext turns text that an agent sent into text that can be shown to a person.
//
// What an agent sends is data. Shown as it came, it could move the cursor and paint over a
// question, reorder "rm" into something harmless by direction marks, or hide a part of a command
// in characters without width. So whatever does not show itself is replaced by something that
// does:
//
//	ESC [ 2 J            ␛[2J          control characters: their Unicode picture
//	U+202E, U+200B       <U+202E>      direction and invisible characters: their number
//	lone surrogate       <U+D83D>      see package protocol on strings
//	byte that is no UTF-8  U+FFFD
//
// What people write stays: letters of all scripts, emoji with their joiners, skin tones, flags and
// variation selectors, joiners where a script needs them, accents up to a sensible number.
//
// [Line] is for what must stay on one line, such as a name; [Block] keeps line breaks and tabs.
// [Label] is for something that can be chosen, and shows blanks at its ends as well.
// [Stream] does what Block does for a text that comes in pieces. All three may be told to keep or
// to drop colours, see [SGR]; do that for decoration only, never for what a person approves.
//
// The result is safe for a terminal. It is no HTML and escapes nothing that another syntax minds.
//
// # Concurrency
//
// The functions may be called at once and never block. A Stream belongs to one goroutine at a time.
package safetext
