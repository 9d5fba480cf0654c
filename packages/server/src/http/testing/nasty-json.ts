import type { ProblemCode } from '@signalbox/contract'

/** A body that has broken somebody's service. */
export interface NastyJson {
  readonly name: string
  readonly bytes: Buffer
  /** Names the problem that the reader answers; `undefined` when the body is nasty but valid. */
  readonly code: ProblemCode | undefined
}

const text = (name: string, json: string, code?: ProblemCode): NastyJson => ({
  name,
  bytes: Buffer.from(json),
  code,
})

const bytes = (name: string, hex: string, code: ProblemCode): NastyJson => ({
  name,
  bytes: Buffer.from(hex.replaceAll(' ', ''), 'hex'),
  code,
})

const nested = (depth: number, open: string, close: string) =>
  `${open.repeat(depth)}1${close.repeat(depth)}`

const many = (count: number, item: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => item(i)).join(',')

const prototypes = [
  text('__proto__ as a member', '{"__proto__":{"admin":true}}', 'reserved_key'),
  text('__proto__ with null', '{"__proto__":null}', 'reserved_key'),
  text('__proto__ deep inside', '{"a":[{"b":{"__proto__":1}}]}', 'reserved_key'),
  text('__proto__ spelled by escapes', String.raw`{"\u005f\u005fproto__":1}`, 'reserved_key'),
  text('constructor.prototype', '{"constructor":{"prototype":{"admin":1}}}', 'reserved_key'),
  text('constructor alone', '{"constructor":1}'),
  text('prototype alone', '{"prototype":{"a":1}}'),
  text('toString and valueOf', '{"toString":1,"valueOf":null,"hasOwnProperty":[]}'),
  text('__proto__ as a value', '{"a":"__proto__"}'),
  text('__PROTO__ is another name', '{"__PROTO__":1}'),
  text('__defineGetter__', '{"__defineGetter__":1,"__lookupSetter__":2}'),
]

const duplicates = [
  text('a member twice', '{"a":1,"a":2}', 'duplicate_key'),
  text('a member twice with the same value', '{"a":1,"a":1}', 'duplicate_key'),
  text('a member twice, once by escapes', String.raw`{"a":1,"\u0061":2}`, 'duplicate_key'),
  text('the empty name twice', '{"":1,"":2}', 'duplicate_key'),
  text('a member twice deep inside', '[{"x":{"k":1,"z":2,"k":3}}]', 'duplicate_key'),
  text('the same name in two objects', '[{"a":1},{"a":2}]'),
  text('case twins', '{"key":1,"KEY":2}'),
  text('NFC and NFD twins', '{"caf\u00E9":1,"cafe\u0301":2}'),
]

const numbers = [
  text('2^53 - 1', '9007199254740991'),
  text('-(2^53 - 1)', '-9007199254740991'),
  text('2^53', '9007199254740992', 'number_out_of_range'),
  text('2^53 + 1', '{"a":9007199254740993}', 'number_out_of_range'),
  text('-(2^53 + 1)', '[-9007199254740993]', 'number_out_of_range'),
  text('2^53 + 1 with a fraction', '9007199254740993.0', 'number_out_of_range'),
  text('2^53 + 1 with an exponent', '900719925474099.3e1', 'number_out_of_range'),
  text('1e400', '{"a":1e400}', 'number_out_of_range'),
  text('-1e400', '-1e400', 'number_out_of_range'),
  text('1e308', '1e308', 'number_out_of_range'),
  text('1E+16', '1E+16', 'number_out_of_range'),
  text('an exponent of a thousand digits', `1e${'9'.repeat(1000)}`, 'number_out_of_range'),
  text('an integer of ten thousand digits', '9'.repeat(10_000), 'number_out_of_range'),
  text('a fraction of ten thousand digits', `0.${'3'.repeat(10_000)}`),
  text('1e-400', '1e-400', 'number_out_of_range'),
  text('-1e-400', '-1e-400', 'number_out_of_range'),
  text('the smallest number', '5e-324'),
  text('-0', '-0', 'number_out_of_range'),
  text('-0.0', '[-0.0]', 'number_out_of_range'),
  text('-0e5', '-0e5', 'number_out_of_range'),
  text('0e999', '0e999'),
  text('0.1', '0.1'),
  text('a leading zero', '01', 'invalid_json'),
  text('a leading plus', '+1', 'invalid_json'),
  text('a leading point', '.5', 'invalid_json'),
  text('a trailing point', '1.', 'invalid_json'),
  text('hexadecimal', '0x10', 'invalid_json'),
  text('a separator', '1_000', 'invalid_json'),
  text('a big integer', '1n', 'invalid_json'),
  text('NaN', 'NaN', 'invalid_json'),
  text('Infinity', '{"a":-Infinity}', 'invalid_json'),
  text('a minus alone', '-', 'invalid_json'),
  text('an exponent alone', '1e', 'invalid_json'),
  text('Arabic digits', '\u0661', 'invalid_json'),
]

const texts = [
  text('NUL by escape', String.raw`"a\u0000b"`, 'ill_formed_text'),
  text('NUL in a name', String.raw`{"a\u0000":1}`, 'ill_formed_text'),
  text('a raw NUL in a string', '"a\u0000b"', 'invalid_json'),
  text('a raw NUL after the value', '1\u0000', 'invalid_json'),
  text('a lone high surrogate', String.raw`"\ud800"`, 'ill_formed_text'),
  text('a lone low surrogate', String.raw`"\udc00"`, 'ill_formed_text'),
  text('two high surrogates', String.raw`"\ud83d\ud83d"`, 'ill_formed_text'),
  text('a reversed pair', String.raw`"\ude00\ud83d"`, 'ill_formed_text'),
  text('a high surrogate before a letter', String.raw`"\ud83dA"`, 'ill_formed_text'),
  text('a high surrogate before another escape', String.raw`"\ud83d\n"`, 'ill_formed_text'),
  text('a lone surrogate in a name', String.raw`{"\udfff":1}`, 'ill_formed_text'),
  text('a pair by escapes', String.raw`"\ud83d\ude00"`),
  text('an emoji with joiners', '"\u{1F469}\u200D\u{1F4BB}"'),
  text('escape character', String.raw`"\u001b[31m"`, 'ill_formed_text'),
  text('backspace', String.raw`"\b"`, 'ill_formed_text'),
  text('form feed', String.raw`"\f"`, 'ill_formed_text'),
  text('carriage return and line feed', String.raw`"a\r\nb"`),
  text('carriage return and line feed by number', String.raw`"a\u000d\u000Ab"`),
  text('carriage return alone', String.raw`"a\rb"`, 'ill_formed_text'),
  text('carriage return alone by number', String.raw`"a\u000Db"`, 'ill_formed_text'),
  text('carriage return before the end', String.raw`"a\r"`, 'ill_formed_text'),
  text('two carriage returns', String.raw`"a\r\r\nb"`, 'ill_formed_text'),
  text('line feed and carriage return', String.raw`"a\n\rb"`, 'ill_formed_text'),
  text('a raw tab', '"a\tb"', 'invalid_json'),
  text('a raw line feed', '"a\nb"', 'invalid_json'),
  text('tab and line feed', String.raw`"a\tb\nc"`),
  text('delete and C1 characters', '"\u007F\u0085\u009F"'),
  text('line and paragraph separators', '"\u2028\u2029"'),
  text('right-to-left override', '"\u202Egpj.exe"'),
  text('zero width and BOM inside', '"a\u200B\uFEFFb"'),
  text('noncharacters', '"\uFFFE\uFFFF\u{10FFFF}"'),
  text('a replacement character', '"\uFFFD"'),
  text('HTML', '"<img src=x onerror=alert(1)></script><!--"'),
  text('an unknown escape', String.raw`"\x41"`, 'invalid_json'),
  text('a short escape', String.raw`"\u12"`, 'invalid_json'),
  text('an escape of wide digits', String.raw`"\u００４１"`, 'invalid_json'),
  text('a backslash at the end', '"a\\', 'invalid_json'),
  text('single quotes', "{'a':1}", 'invalid_json'),
  text('an unterminated string', '"abc', 'invalid_json'),
  text('a string of 64 KiB', `"${'a'.repeat(65_536)}"`),
  text('a string of 64 KiB and one byte', `"${'a'.repeat(65_537)}"`, 'value_too_large'),
  text('a string of 64 KiB in two-byte characters', `"${'é'.repeat(32_769)}"`, 'value_too_large'),
  text('a string of 1 MiB', `{"a":"${'a'.repeat(1_048_560)}"}`, 'value_too_large'),
  text('a name of 64 KiB and one byte', `{"${'n'.repeat(65_537)}":1}`, 'value_too_large'),
]

const encodings = [
  bytes('a byte order mark', 'ef bb bf 7b 7d', 'invalid_json'),
  bytes('UTF-16 little endian', 'ff fe 7b 00 7d 00', 'invalid_encoding'),
  bytes('UTF-16 without a mark', '7b 00 7d 00', 'invalid_json'),
  bytes('latin-1', '22 e9 22', 'invalid_encoding'),
  bytes('a lone continuation byte', '22 80 22', 'invalid_encoding'),
  bytes('a cut sequence', '22 e2 82 22', 'invalid_encoding'),
  bytes('an overlong slash', '22 c0 af 22', 'invalid_encoding'),
  bytes('an overlong NUL', '22 c0 80 22', 'invalid_encoding'),
  bytes('a surrogate in UTF-8', '22 ed a0 80 22', 'invalid_encoding'),
  bytes('CESU-8', '22 ed a0 bd ed b8 80 22', 'invalid_encoding'),
  bytes('beyond U+10FFFF', '22 f4 90 80 80 22', 'invalid_encoding'),
  bytes('five bytes', '22 f8 88 80 80 80 22', 'invalid_encoding'),
  bytes('0xFF', '22 ff 22', 'invalid_encoding'),
]

const shapes = [
  text('nothing', '', 'invalid_json'),
  text('only white space', ' \t\r\n', 'invalid_json'),
  text('no-break space', '\u00A01', 'invalid_json'),
  text('vertical tab', '\u000B1', 'invalid_json'),
  text('two values', '{} {}', 'invalid_json'),
  text('a comment', '{"a":1/*x*/}', 'invalid_json'),
  text('a line comment', '1 // x', 'invalid_json'),
  text('a trailing comma', '[1,]', 'invalid_json'),
  text('a trailing comma in an object', '{"a":1,}', 'invalid_json'),
  text('a leading comma', '[,1]', 'invalid_json'),
  text('a missing comma', '[1 2]', 'invalid_json'),
  text('a missing colon', '{"a" 1}', 'invalid_json'),
  text('a name without quotes', '{a:1}', 'invalid_json'),
  text('a number as a name', '{1:2}', 'invalid_json'),
  text('undefined', 'undefined', 'invalid_json'),
  text('True', 'True', 'invalid_json'),
  text('nul', 'nul', 'invalid_json'),
  text('truex', 'truex', 'invalid_json'),
  text('a closed bracket too many', '[]]', 'invalid_json'),
  text('crossed brackets', '[{]}', 'invalid_json'),
  text('an open array', '[1,2', 'invalid_json'),
  text('a JavaScript prefix', ")]}',\n{}", 'invalid_json'),
  text('a form', 'a=1&b=2', 'invalid_json'),
  text('depth 32', nested(32, '[', ']')),
  text('depth 33', nested(33, '[', ']'), 'too_deep'),
  text('depth 33 in objects', nested(33, '{"a":', '}'), 'too_deep'),
  text('depth 10,000', nested(10_000, '[', ']'), 'too_deep'),
  text('depth 500,000', nested(500_000, '[', ']'), 'too_deep'),
  text('depth 500,000 never closed', '['.repeat(500_000), 'too_deep'),
  text('depth 100,000 in objects', '{"a":'.repeat(100_000), 'too_deep'),
  text('20,000 values', `[${many(19_999, () => '0')}]`),
  text('20,001 values', `[${many(20_000, () => '0')}]`, 'too_many_items'),
  text('60,000 members', `{${many(60_000, (i) => `"k${i}":1`)}}`, 'too_many_items'),
  text('500,000 empty arrays', `[${many(250_000, () => '[]')}]`, 'too_many_items'),
  text('an array of commas', `[${','.repeat(100_000)}]`, 'invalid_json'),
  text('a megabyte of spaces', `${' '.repeat(1_000_000)}1`),
]

/** Bodies to throw at everything that reads JSON. */
export const nastyJson: readonly NastyJson[] = [
  ...prototypes,
  ...duplicates,
  ...numbers,
  ...texts,
  ...encodings,
  ...shapes,
]
