import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { examine, type Findings } from '../testing/crash/crash-ledger.ts'
import { sendWebhooks } from '../testing/crash/crash-webhooks.ts'
import { startWriters } from '../testing/crash/crash-writers.ts'
import { openProofService, until, type ProofService } from '../testing/proof-service.ts'
import { createWebhookSender } from '../testing/webhooks/webhook-sender.ts'

const sender = createWebhookSender()

/**
 * Half of them of the service, half of the database. Where the database acknowledges too early, three kills of it lost 144 of
 * 206 acknowledged writes, so one is enough to tell.
 */
const kills = 2 * inject('scale')
/** Takes a second or two on a quiet machine. What does not come back by itself takes for ever. */
const recoveryMsMax = 30_000

interface Run {
  readonly acknowledged: number
  readonly refused: number
  readonly unknown: number
  /** From each kill to the first acknowledged write that began after it. */
  readonly recoveriesMs: {
    readonly service: readonly number[]
    readonly database: readonly number[]
  }
  readonly findings: Findings
  /** Counts the webhooks that were answered with 202. */
  readonly webhooks: number
  readonly lostWebhooks: readonly string[]
}

interface RunCrashes {
  readonly kills: number
  readonly victims: readonly ('service' | 'database')[]
  /** Done before the first kill. */
  readonly weaken?: () => Promise<void>
}

/**
 * Kills one part after the other while eight writers write and a code host sends webhooks, and looks after each kill for what
 * the writers were told. Waits in the end until what was taken is done.
 */
async function runCrashes(proof: ProofService, asked: RunCrashes): Promise<Run> {
  const writers = await startWriters(proof)
  const webhooks = sendWebhooks(proof, sender)
  await asked.weaken?.()
  const recoveriesMs = { service: [] as number[], database: [] as number[] }
  const findings: Findings = { lost: [], resurrected: [], half: [] }
  for (let i = 0; i < asked.kills; i++) {
    const victim = asked.victims[i % asked.victims.length] ?? 'service'
    const before = writers.counts.acknowledged
    const enough = before + 30 + Math.floor(Math.random() * 60)
    await until(() => writers.counts.acknowledged >= enough, `${enough} acknowledged writes`)
    const beganAt = performance.now()
    if (victim === 'database') await proof.killDatabase()
    else await proof.killService()
    // Only what begins once the victim is dead counts as a sign of life.
    const deadAt = performance.now()
    if (victim === 'service') {
      await proof.start()
      writers.follow()
    }
    await until(() => writers.countSince(deadAt) > 0, 'a write after the crash')
    recoveriesMs[victim].push(performance.now() - beganAt)
    await writers.pause()
    const { lost, resurrected, half } = await examine(proof, writers)
    findings.lost.push(...lost)
    findings.resurrected.push(...resurrected)
    findings.half.push(...half)
    writers.resume()
  }
  await writers.stop()
  await webhooks.stop()
  await until(async () => (await webhooks.countOpen()) === 0, 'the last webhook', 180_000)
  const lostWebhooks = await webhooks.listLost()
  const counts = { ...writers.counts, webhooks: webhooks.accepted.length, lostWebhooks }
  return { ...counts, recoveriesMs, findings }
}

function report(name: string, { findings, recoveriesMs, lostWebhooks, ...counts }: Run): void {
  const hit = Object.entries(recoveriesMs).filter(([, list]) => list.length > 0)
  const recoveries = hit.map(([victim, list]) => {
    const sorted = list.map(Math.round).sort((a, b) => a - b)
    return `after a kill of the ${victim} min ${sorted[0]} median ${sorted[sorted.length >> 1]} max ${sorted.at(-1)} ms`
  })
  const found = Object.entries(findings).map(([what, list]) => `${list.length} ${what}`)
  console.log(
    `${name}: ${JSON.stringify(counts)}; ${found.join(', ')}, ${lostWebhooks.length} webhooks lost; ` +
      `first write ${recoveries.join(', ')}`,
  )
}

describe('a crash (R1, R8)', () => {
  let proof: ProofService
  beforeAll(async () => {
    proof = await openProofService({ env: sender.env })
  })
  afterAll(() => proof?.close())

  it('of the service or of its whole database loses no acknowledged write or webhook, leaves no write half done and no webhook undone', async () => {
    const run = await runCrashes(proof, { kills, victims: ['service', 'database'] })
    report('crashes', run)
    expect(run.findings).toEqual({ lost: [], resurrected: [], half: [] })
    expect(run.lostWebhooks).toEqual([])
    expect(run.webhooks).toBeGreaterThan(kills * 10)
    expect(run.acknowledged).toBeGreaterThan(kills * 30)
    expect(run.refused).toBeGreaterThan(kills)
    expect(Math.max(...Object.values(run.recoveriesMs).flat())).toBeLessThan(recoveryMsMax)
  })

  it('control: loses acknowledged writes and webhooks when the database acknowledges before they are on disk', async () => {
    const weaken = async () => {
      await proof.asOwner('checkpoint')
      await proof.asOwner('alter system set synchronous_commit = off')
      await proof.asOwner("alter system set wal_writer_delay = '10s'")
      await proof.asOwner('select pg_reload_conf()')
    }
    const run = await runCrashes(proof, { kills: 1, victims: ['database'], weaken })
    report('control without synchronous commits', run)
    expect(run.findings.lost.length).toBeGreaterThan(0)
    expect(run.lostWebhooks.length).toBeGreaterThan(0)
  })
})
