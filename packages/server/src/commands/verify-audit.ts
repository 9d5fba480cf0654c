import { verifyChains } from '../audit/verify-chain.ts'
import type { Command } from './command.ts'
import { openCommandStore } from './open-command-store.ts'

/** Recomputes the audit chains and returns 1 when one is broken. Safe beside the running service. */
export const verifyAudit: Command = async ({ settings, json, terminal }) => {
  const store = await openCommandStore(settings())
  try {
    let shownAt = Date.now()
    const chains = await verifyChains(
      { store },
      {
        onProgress({ orgId, eventsVerified }) {
          if (json || Date.now() - shownAt < 1_000) return
          shownAt = Date.now()
          terminal.err(`${orgId}: ${eventsVerified} events verified`)
        },
      },
    )
    const broken = chains.filter(({ violation }) => violation !== undefined)
    if (json) terminal.out(JSON.stringify({ chains, intact: broken.length === 0 }))
    else {
      for (const { orgId, events, headHash, violation } of chains) {
        terminal.out(
          violation === undefined
            ? `${orgId}: ${events} events, intact, head ${headHash}`
            : `${orgId}: BROKEN at event ${violation.sequence}: ${violation.reason}`,
        )
      }
      if (chains.length === 0) terminal.out('There are no audit events yet.')
    }
    return broken.length === 0 ? 0 : 1
  } finally {
    await store.close()
  }
}
