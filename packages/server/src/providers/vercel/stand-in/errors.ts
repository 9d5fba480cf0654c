import { json } from '../../../../../sandbox/src/http/answers.ts'
import type { Answer } from '../../../../../sandbox/src/http/route.ts'

/** Returns Vercel's error body. */
export function refuse(status: number, code: string, message: string): Answer {
  return json({ error: { code, message } }, status)
}
