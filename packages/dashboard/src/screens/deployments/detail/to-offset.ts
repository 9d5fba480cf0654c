import { toDuration } from '../../../components/time.tsx'

/** Returns the time since the first step: `+0 s`, `+96 s`, `+3 h 20 min`. */
export function toOffset(at: string, start: string): string {
  const ms = Date.parse(at) - Date.parse(start)
  return ms < 1000 ? '+0 s' : `+${toDuration(ms)}`
}
