import { readFileSync } from 'node:fs'
import { operationEndpoints as endpoints } from '@signalbox/contract/rest'
import type { Router } from '../http/router.ts'
import { pageHeaders } from '../http/security-headers.ts'

/** The page that says what each problem means. Read from the package once, at the start. */
export function mountPages(router: Router): void {
  const body = readFileSync(new URL('../../assets/problems.html', import.meta.url))
  router.addRaw(endpoints.readProblems, async () => ({
    status: 200,
    headers: pageHeaders(),
    body,
  }))
}
