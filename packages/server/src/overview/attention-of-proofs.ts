import type { OpenEnd, SilentSignal } from '../read-models/overview/failed-proof-rows.ts'
import { next, type AttentionItem } from './dashboard-steps.ts'

/** Returns what people should know of a change that is live and not proven. */
export function attentionOfOpenEnd(end: OpenEnd): AttentionItem {
  const { state, schemaId, schema, environment, versionId, version, reason, notRestored, at } = end
  const subject = `${schema} v${version} in ${environment}`
  const common = {
    subjectId: versionId,
    at: at.toISOString(),
    next: next('Look at it', { page: 'history', search: { schema: schemaId, version: versionId } }),
  }
  const stays = 'It stays here for a week, or until the configuration is changed again.'
  if (state === 'failed') {
    return {
      ...common,
      severity: 'error',
      code: 'change_not_restored',
      title: `${subject} has failed and was not restored`,
      detail: [toSentence(reason), toSentence(notRestored), stays].join(' ').trim(),
    }
  }
  return {
    ...common,
    severity: 'warning',
    code: 'change_not_proven',
    title: `${subject} is not proven`,
    detail: `${toSentence(reason)} ${stays}`.trim(),
  }
}

/** Returns what people should know of a signal without data: changes that it is to prove stay unproven. */
export function attentionOfSilentSignal({ id, name, detail, at }: SilentSignal): AttentionItem {
  return {
    severity: 'warning',
    code: 'signal_silent',
    subjectId: id,
    title: `The signal ${name} has no data`,
    detail: `${toSentence(detail ?? 'Nothing was ever sent to its address')} Changes that it is to prove stay unproven.`,
    at: at.toISOString(),
    next: next('Open', { page: 'signals' }),
  }
}

function toSentence(text: string | null): string {
  if (text === null || text === '') return ''
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  return sentence.endsWith('.') ? sentence : `${sentence}.`
}
