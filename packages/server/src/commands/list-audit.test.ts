import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serverChain, systemAuthor, type AuditAction } from '../audit/audit-event.ts'
import { recordAuditEvent } from '../audit/record-event.ts'
import { openTestStore, type TestStore } from '../store/testing/test-database.ts'
import { runServerHere } from './testing/server-process.ts'

let test: TestStore

beforeAll(async () => {
  test = await openTestStore()
  await record(serverChain, 'auth.login', 'ada@example.org')
  await record(serverChain, 'auth.login_failed', 'eve\u001b[2J\nforged line')
  await record('org_a', 'org.updated', 'A')
})
afterAll(() => test.close())

const record = (orgId: string, action: AuditAction, name: string) =>
  test.store.transaction({ orgId }, async (tx) =>
    recordAuditEvent(tx, {
      orgId,
      actor: systemAuthor,
      action,
      target: { type: 'user', id: null, name },
    }),
  )

const run = (...args: string[]) =>
  runServerHere({
    args: ['audit', ...args],
    env: {
      DATABASE_URL: test.databaseUrl,
      SIGNALBOX_ROOT_KEY: 'A'.repeat(43),
    },
  })

describe('audit', () => {
  it("lists the server's own chain, newest first, one line each whatever a name holds", async () => {
    const { exitCode, stdout } = await run()
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toEqual([
      expect.stringContaining('auth.login_failed  Signalbox  eve?[2J?forged line'),
      expect.stringContaining('auth.login  Signalbox  ada@example.org'),
    ])
    expect(exitCode).toBe(0)
  })

  it('lists the chain of an organization, and single actions, as one document', async () => {
    const { stdout } = await run('--chain', 'org_a', '--action', 'org.updated', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      chain: 'org_a',
      events: [{ action: 'org.updated', target: { name: 'A' } }],
    })
  })

  it('refuses an action that does not exist', async () => {
    const { exitCode, stderr } = await run('--action', 'auth.logn')
    expect(stderr).toContain('✗ There is no action auth.logn.')
    expect(exitCode).toBe(2)
  })
})
