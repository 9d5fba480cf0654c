import type { AnswerOf } from '../../../api/routes.ts'
import { Badge } from '../../../components/badge.tsx'

type Chat = AnswerOf<'GET /organizations/{org_id}/integrations/chat'>

interface ChannelStateProps {
  readonly name: string | null
  readonly health: Chat['defaultChannelHealth']
}

/** Shows whether messages reach the channel, and what to do if not. */
export function ChannelState({ name, health }: ChannelStateProps) {
  if (name === null) return <p>No channel is chosen yet: nothing is sent.</p>
  const isBroken = health?.state === 'broken'
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium break-all">#{name}</span>
        {health !== null && (
          <Badge tone={isBroken ? 'bad' : 'ok'}>
            {isBroken ? 'messages do not arrive' : 'messages arrive'}
          </Badge>
        )}
      </p>
      {isBroken && (
        <div role="alert" className="rounded-md bg-bad-ground px-3 py-2 text-bad">
          <p>{health.reason}</p>
          <p className="font-medium">{health.nextStep}</p>
        </div>
      )}
    </>
  )
}
