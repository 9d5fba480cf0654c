import { joinTexts, quote, type MessageText, type Tone } from '../../providers/chat/chat-message.ts'
import type { ProofView } from '../../read-models/notifications/notice-views.ts'

/** Holds what a message says of the proofs of its change. */
export interface ProofText {
  /** Null: nothing is wrong, and the change itself decides. */
  readonly tone: Tone | null
  /** Ends the sentence about the change. Empty: nothing is wrong. */
  readonly end: MessageText
  readonly facts: readonly MessageText[]
}

const proofsShown = 3

/** Says how a change is watched, and how that ended. The worst of several proofs comes first. */
export function renderProofs(proofs: readonly ProofView[]): ProofText {
  const [worst, ...others] = proofs.toSorted((one, other) => rank(one) - rank(other))
  if (worst === undefined) return { tone: null, end: [], facts: [] }
  const tone = toneOf(worst)
  const listed = tone === null ? [worst, ...others] : others
  const facts = listed.slice(0, proofsShown).map((proof): MessageText => {
    const [first, ...rest] = describe(proof)
    const name = proofs.length === 1 ? [] : [quote(proof.environment, 63), ': ']
    return [...name, ...capitalize(first), ...rest]
  })
  const end = tone === null ? [] : [': ', ...describe(worst)]
  return { tone, end, facts: [...explain(worst), ...facts] }
}

function isRestored({ restored }: ProofView): boolean {
  return restored.length > 0
}

function toneOf(proof: ProofView): Tone | null {
  if (proof.state === 'failed') return isRestored(proof) ? 'reverted' : 'failure'
  return proof.state === 'inconclusive' ? 'warning' : null
}

const tones: readonly (Tone | null)[] = ['failure', 'reverted', 'warning', null]
const rank = (proof: ProofView): number => tones.indexOf(toneOf(proof))

function describe(proof: ProofView): MessageText {
  const { state, minutes, signals, stoppedBy, isWaiting, reason, notRestored } = proof
  switch (state) {
    case 'watching':
      return isWaiting
        ? ['watched again after a later change']
        : [`watched for ${minutes} min by `, ...listNames(signals)]
    case 'proven':
      return stoppedBy === null
        ? ['proven by ', ...listNames(signals)]
        : ['proven, says ', quote(stoppedBy, 80)]
    case 'stopped':
      return ['not watched any more, says ', quote(stoppedBy ?? '', 80)]
    case 'inconclusive':
      return ['not proven: ', ...sentence(reason)]
    case 'failed':
      return isRestored(proof)
        ? ['restored because ', ...sentence(reason), ', now ', ...listVersions(proof)]
        : ['failed, not restored: ', ...sentence(notRestored)]
  }
}

/** Says why a change failed that is still live, and what of one that was restored stays. */
function explain(proof: ProofView): MessageText[] {
  const { state, reason, notRestored } = proof
  if (state !== 'failed') return []
  if (!isRestored(proof)) return [['Failed because ', ...sentence(reason)]]
  return notRestored === null ? [] : [['Not restored: ', ...sentence(notRestored)]]
}

/** Names the versions that took a change back, and their environment where it is another one. Example: `v14 of base`. */
function listVersions({ environment, restored }: ProofView): MessageText {
  return joinTexts(
    restored
      .slice(0, proofsShown)
      .map((each): MessageText => [
        `v${each.version}`,
        ...(each.environment === environment ? [] : [' of ', quote(each.environment, 63)]),
      ]),
    ', ',
  )
}

function listNames(names: readonly string[]): MessageText {
  const first = names.slice(0, proofsShown).map((name): MessageText => [quote(name, 80)])
  const more = names.length - first.length
  return [...joinTexts(first, ', '), ...(more > 0 ? [` and ${more} more`] : [])]
}

/** Continues a sentence by another one, which has a full stop and a capital letter of its own. */
function sentence(text: string | null): MessageText {
  const plain = (text ?? 'its page says why')
    .replace(/\.$/, '')
    .replace(/^(?:The|Something) /, lower)
  return [quote(plain, 300)]
}

const lower = (text: string) => text.toLowerCase()

function capitalize(run: MessageText[number] | undefined): MessageText {
  if (run === undefined) return []
  return [typeof run === 'string' ? `${run.charAt(0).toUpperCase()}${run.slice(1)}` : run]
}
