import { canonicalJson } from '@signalbox/contract'

/** Returns a member of an event's detail as text. Of a value before and after, only what differs: `approvals: 0 → 1`. */
export function describeDetail(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ')
  if (!isRecord(value)) return JSON.stringify(value)
  const { before, after, ...rest } = value
  if (!isRecord(before) || !isRecord(after) || Object.keys(rest).length > 0) {
    return JSON.stringify(value)
  }
  return Object.entries(after)
    .filter(([name, now]) => canonicalJson(before[name]) !== canonicalJson(now))
    .map(([name, now]) => `${name}: ${JSON.stringify(before[name])} → ${JSON.stringify(now)}`)
    .join(', ')
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
