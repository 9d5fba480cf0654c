import { labelChannel } from '@signalbox/contract'
import type { ReactNode } from 'react'
import type { AnswerOf } from '../../../api/routes.ts'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Age } from '../../../components/time.tsx'

type Chat = AnswerOf<'GET /organizations/{org_id}/integrations/chat'>
type Health = NonNullable<Chat['defaultChannelHealth']>

const variants: Readonly<Record<Health['state'], { readonly text: string; readonly tone: Tone }>> =
  {
    unused: { text: 'nothing sent yet', tone: 'neutral' },
    ok: { text: 'delivering', tone: 'ok' },
    broken: { text: 'not delivering', tone: 'bad' },
  }

interface ChannelHealthProps {
  readonly health: Health
  /** Holds the name of the channel, where nothing else shows it. */
  readonly name?: string
  /** Holds what a person can do about a broken channel. */
  readonly action?: ReactNode
}

/** Shows whether messages reach a channel, when one last did, and what to do if none do. */
export function ChannelHealth({ health, name, action }: ChannelHealthProps) {
  const { state, reason, nextStep, lastDeliveredAt } = health
  const { text, tone } = variants[state]
  return (
    <div className="flex flex-col gap-2">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {name !== undefined && <span className="font-medium break-all">{labelChannel(name)}</span>}
        <Badge tone={tone}>{text}</Badge>
        {lastDeliveredAt !== null && (
          <span className="text-sm text-muted">
            last delivered <Age at={lastDeliveredAt} />
          </span>
        )}
      </p>
      {state === 'broken' && (
        <div role="alert" className="rounded-md bg-bad-ground px-3 py-2 text-bad">
          <p>{reason}</p>
          <p className="font-medium">{nextStep}</p>
        </div>
      )}
      {state === 'broken' && action !== undefined && <div>{action}</div>}
    </div>
  )
}
