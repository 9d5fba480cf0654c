import { nearestNames } from '@signalbox/contract/client'

/** Returns the known names that are similar to the key at the end of the message, for its end: `, near apiUrl`. */
export function nearNames(message: string, known: unknown): string {
  if (!Array.isArray(known)) return ''
  const names = known.filter((name) => typeof name === 'string')
  const near = nearestNames(message.slice(message.lastIndexOf(' ') + 1), names)
  return near.length === 0 ? '' : `, near ${near.join(', ')}`
}
