import type { Switch } from '../models/stand-in.ts'
import type { Sandbox } from '../sandbox.ts'

/** Returns whether the page offers a switch or a setting of a provider: it takes part, or a product is connected to it. */
function isOffered(
  { participants, stage }: Pick<Sandbox, 'participants' | 'stage'>,
  { of }: { readonly of: string },
): boolean {
  if (participants.includes(of)) return true
  return stage.codeHosts.some((host) => host.name === of && host.isConnected())
}

/** Lists the settings that the page offers. */
export function offeredSettings(sandbox: Sandbox): Sandbox['settings'] {
  return sandbox.settings.filter((one) => isOffered(sandbox, one))
}

/** Lists the switches that the page offers, in its order. */
export function offeredSwitches(sandbox: Sandbox): readonly Switch[] {
  return [...commonSwitches(sandbox), ...sandbox.switches.filter((one) => isOffered(sandbox, one))]
}

/** Lists every switch, whether its provider takes part or not. */
export function switchesOf(sandbox: Sandbox): readonly Switch[] {
  return [...commonSwitches(sandbox), ...sandbox.switches]
}

/** Lists the faults of no single provider. */
function commonSwitches({ providers, stage, scheduler }: Sandbox): readonly Switch[] {
  /** Returns the code host that the next push goes to. */
  const usualHost = () => stage.hosts()[0]
  return [
    {
      name: 'webhook-twice',
      title: 'Deliver the next webhook twice',
      explains: 'Sends the same bytes under the same id.',
      turn: () => usualHost()?.faults.repeatNext(1),
    },
    {
      name: 'webhook-lost',
      title: 'Lose the next webhook',
      explains: "The provider doesn't send it again.",
      turn: () => usualHost()?.faults.loseNext(1),
    },
    {
      name: 'webhook-repeat-last',
      title: 'Deliver the last webhook again',
      explains: 'Works like the button of the code host that sends one again.',
      turn: () => usualHost()?.sendLastAgain(),
    },
    {
      name: 'webhook-shuffle',
      title: 'Deliver webhooks in reverse',
      explains: 'Collects the webhooks of the next four seconds, then sends the last one first.',
      turn() {
        const faults = usualHost()?.faults
        if (faults === undefined) return
        faults.hold()
        const run = () => void faults.release([...faults.held().keys()].toReversed())
        scheduler.play([{ afterMs: 4_000, run }])
      },
    },
    {
      name: 'expire',
      title: 'Let every access token expire',
      explains: 'Refresh tokens still work. Tokens that never expire stay valid.',
      turn() {
        for (const provider of providers) provider.expireTokens?.()
      },
    },
  ]
}
