import { useState } from 'react'
import { CodeBlock } from '../../components/code.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { SecretDialog } from '../../components/secret-once.tsx'
import { Segments } from '../../components/tabs.tsx'
import type { Signal } from '../proofs/use-signals.ts'
import { listSnippets } from './snippets.ts'

interface SignalAddressProps {
  readonly signal: Signal
  /** Holds the secret, which the server shows once. `null`: it is not shown again, or Sentry signs with its own. */
  readonly secret: string | null
  readonly onClose: () => void
}

/** Shows where alerts are sent, and how: with the secret where there is a new one. */
export function SignalAddress({ signal, secret, onClose }: SignalAddressProps) {
  if (secret === null) {
    return (
      <Dialog title={`Send alerts to ${signal.name}`} onClose={onClose}>
        <HowToSend signal={signal} secret="THE_SECRET" />
        {!isSentry(signal) && (
          <p className="text-sm text-muted">
            Replace THE_SECRET with the secret. If nobody has it any more, make a new one.
          </p>
        )}
      </Dialog>
    )
  }
  return (
    <SecretDialog
      heading={`Send alerts to ${signal.name}`}
      title="Secret of the address"
      help="Shown only once. With it, an alert can make Signalbox take back a change that is watched, once an hour at most."
      secret={secret}
      onClose={onClose}
    >
      <HowToSend signal={signal} secret={secret} />
    </SecretDialog>
  )
}

function isSentry({ spec }: Signal): boolean {
  return spec?.kind === 'alert' && spec.format === 'sentry'
}

interface HowToSendProps {
  readonly signal: Signal
  readonly secret: string
}

function HowToSend({ signal, secret }: HowToSendProps) {
  const [chosen, setChosen] = useState('Alertmanager')
  const address = signal.address ?? ''
  if (isSentry(signal)) {
    return (
      <>
        <ol className="list-decimal space-y-1 pl-5">
          <li>
            In Sentry, open Settings → Custom Integrations and create an internal integration.
          </li>
          <li>Enter this address as its webhook URL, and switch Alert Rule Action on:</li>
        </ol>
        <CodeBlock code={address} />
        <p>
          Its client secret belongs into the signal. Choose the integration in an alert’s actions.
        </p>
      </>
    )
  }
  const snippets = listSnippets(address, secret)
  const snippet = snippets.find(({ tool }) => tool === chosen)
  return (
    <section aria-label="How to send alerts" className="flex min-w-0 flex-col gap-2">
      <div>
        <Segments
          label="Tool"
          options={snippets.map(({ tool }) => ({ value: tool, label: tool }))}
          value={chosen}
          onChange={setChosen}
        />
      </div>
      <p className="text-sm text-muted">{snippet?.where}</p>
      <CodeBlock code={snippet?.code ?? ''} />
    </section>
  )
}
