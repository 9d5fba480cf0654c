import type { FlagRule } from '@signalbox/contract'
import { deriveId } from '../crypto/ids.ts'
import { parseRules } from './segment-texts.ts'

/**
 * Returns the text of rules in which each has an id. One that comes without an id keeps that of an equal rule in the text that is
 * `stored`. A new one has an id that is made of its content, so that a trial run says what the write does.
 */
export function withRuleIds(text: string, stored: string | undefined): string {
  if (text === stored) return text
  const rules = parseRules(text)
  if (rules.every(({ id }) => id !== undefined)) return text
  const taken = new Set(rules.flatMap(({ id }) => id ?? []))
  const before = stored === undefined ? [] : parseRules(stored)
  const claim = (content: string): string => {
    const known = before.find((rule) => isFree(rule.id) && contentOf(rule) === content)?.id
    let id = known ?? deriveId('rul', content)
    for (let salt = 1; taken.has(id); salt += 1) id = deriveId('rul', `${salt} ${content}`)
    taken.add(id)
    return id
  }
  const isFree = (id: string | undefined): boolean => id !== undefined && !taken.has(id)
  return JSON.stringify(
    rules.map((rule) => (rule.id === undefined ? { id: claim(contentOf(rule)), ...rule } : rule)),
  )
}

function contentOf(rule: FlagRule): string {
  return JSON.stringify({ ...rule, id: undefined })
}
