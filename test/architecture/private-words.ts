import { isSandboxFile } from './source-files.ts'

/**
 * Maps the words that a stranger does not understand, alone or in sequence, to the words that the field has for the thing. No name
 * of the product has them: of code, files, tables, metrics, settings, flags and events.
 */
const privateWords: ReadonlyMap<string, string> = new Map([
  ['admit', 'authorize, verify or accept'],
  ['as it is', 'identity'],
  ['borrow', 'acquire and release'],
  ['ceiling', 'maximum'],
  ['consent', 'confirmation'],
  ['dead', 'failed'],
  ['death', 'failure'],
  ['derive first', 'derive active'],
  ['distrust', 'resync'],
  ['door', 'listener or layout'],
  ['everyone', 'all users'],
  ['familiar', 'known'],
  ['fault', 'violation, failure or error'],
  ['faulty', 'flaky'],
  ['floor', 'minimum'],
  ['give back', 'release'],
  ['happening', 'event or subject'],
  ['heir', 'descendant'],
  ['hint', 'change, advice or notification'],
  ['hold turn', 'lock or queue'],
  ['holding', 'store or cache'],
  ['horizon', 'xmin or watermark'],
  ['keep as of', 'freshness'],
  ['loan', 'acquire and release'],
  ['look', 'poll, check or read'],
  ['manner', 'middleware'],
  ['news', 'change or recent'],
  ['outbox', 'batcher'],
  ['pace', 'rate limit'],
  ['paid', 'charged'],
  ['pair change', 'file change'],
  ['pair key', 'snapshot key'],
  ['place', 'ref, address, scope, target, path or position'],
  ['promised', 'reserved'],
  ['rail', 'sidebar'],
  ['refusal', 'rejection'],
  ['remedy', 'fix or next step'],
  ['remedie', 'fix or next step'],
  ['ring', 'cache or index'],
  ['room', 'quota, capacity or maximum'],
  ['round', 'batch, pass or attempt'],
  ['seldom', 'low priority'],
  ['seldomer', 'low priority'],
  ['shelf', 'store or cache'],
  ['shelve', 'store or cache'],
  ['spine', 'initial'],
  ['spool', 'write-ahead file'],
  ['steering', 'process control'],
  ['take turn', 'lock or queue'],
  ['tell', 'send, report or describe'],
  ['told', 'sent, reported or described'],
  ['trouble', 'failure or warning'],
  ['unless taken', 'if absent'],
  ['verdict', 'outcome or decision'],
])

/** Lists sequences of these words that the field has: of queues, of networks, of searches and of sentences. */
const fieldTerms: readonly string[] = [
  'dead letter',
  'look up',
  'looks like',
  'looked like',
  'round trip',
]

/** Pairs each word with the pattern of its singular and its plurals, compiled once. */
const patterns = [...privateWords].map(
  ([word, instead]) => [new RegExp(` ${word}(?:e?s)? `), instead] as const,
)

const participle = /^(?:asked|begun|found|given|joined|kept|opened|seen|shown|wanted)$/i

/** The head of a chain of hashes, of a branch and of a range of commits, beside its base, are words of the field. */
const head = /(?:^h|(?<![Cc]hain)H)eads?(?=$|[A-Z])(?!Hash|Sha|Branch|Commit|Ref|Repository)/

/** Returns the word to use in place of a private one in a name, however its words are joined; `undefined`: there is none. */
export function privateWordOf(name: string): string | undefined {
  const words = name
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
    .map((word) => word.toLowerCase())
    .join(' ')
  const left = fieldTerms.reduce((text, term) => text.replaceAll(term, '|'), ` ${words} `)
  for (const [pattern, instead] of patterns) if (pattern.test(left)) return instead
  if (participle.test(name)) return 'the thing, not its participle'
  return head.test(toCamelCase(name)) ? 'current or latest' : undefined
}

function toCamelCase(name: string): string {
  return name.replaceAll(/[-_.]+([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Returns whether a word is one of the sandbox, which injects faults and speaks as providers do, or of a test of such faults. */
export function isOfSandbox(path: string, name: string): boolean {
  if (!isSandboxFile(path) && !path.endsWith('faults.test.ts')) return false
  const others = name.replaceAll(/faults?|everyone|joined(?=_)/gi, 'it')
  return others !== name && privateWordOf(others) === undefined
}

/**
 * Lists by file or folder the names that are on the wire: of JSON and of states. Such a name changes
 * with the version of its format, and not because a word is private.
 */
export const promisedNames: readonly (readonly [path: RegExp, names: readonly string[]])[] = [
  [/^packages\/cli\/src\/commands\/definition\/push\.ts$/, ['kept']],
  [/^packages\/cli\/src\/commands\/server\/doctor\.ts$/, ['fault']],
  [/^packages\/dashboard\/src\/screens\/deployments\/states\.ts$/, ['wanted']],
  [/^packages\/dashboard\/src\/screens\/deployments\/workflows\/describe-dispatch\.ts$/, ['found']],
  [/^packages\/dashboard\/src\/screens\/webhooks\/(?:delivery-row\.tsx|search\.ts)$/, ['dead']],
  // The fault of an audit chain and of a delivery node.
  [/^packages\/contract\/src\/rest\/(?:audit|operation)\.ts$/, ['fault']],
  [
    /^packages\/server\/src\/(?:audit\/routes|replica\/report|delivery\/relay\/describe-node)\.ts$/,
    ['fault'],
  ],
  [/^packages\/server\/src\/(?:operation\/nodes|read-models\/server)\//, ['fault']],
  // The refusal of an assistant that asks to be connected.
  [/^packages\/contract\/src\/rest\/identity\/agent-authorizations\.ts$/, ['refusal']],
  [/^packages\/server\/src\/identity\/members\/agent-tokens\/oauth\/routes\.ts$/, ['refusal']],
  // The verdict of an import about each key.
  [
    /^packages\/(?:cli\/src\/importers|dashboard\/src\/screens\/imports|server\/src\/configs\/imports)\//,
    ['verdict', 'verdicts', 'verdictTones', 'Verdict'],
  ],
  [/^packages\/contract\/src\/rest\/configs\/imports\.ts$/, ['verdict']],
  // A reading of a signal: good, bad, or none.
  [
    /^packages\/(?:contract\/src\/rest\/configs\/(?:proofs|signals)\.ts|server\/src\/configs\/(?:proofs|signals)\/|dashboard\/src\/screens\/(?:proofs|signals)\/)/,
    ['verdict'],
  ],
  // The words of a reviewer about a change request, and its number of approvals.
  [
    /^packages\/(?:contract\/src\/rest\/configs\/change-requests\.ts|server\/src\/configs\/requests\/|dashboard\/src\/screens\/requests\/)/,
    ['verdict', 'verdicts', 'findVerdicts', 'reviewVerdicts', 'ReviewVerdict', 'given'],
  ],
]

/** Returns whether a file may declare a private name, because it is on the wire or stored. */
export function isPromised(path: string, name: string): boolean {
  return promisedNames.some(([pattern, names]) => pattern.test(path) && names.includes(name))
}

/** Lists names of the database that are on the wire as well. */
export const promisedWireNames: ReadonlySet<string> = new Set(['fault', 'verdict'])
