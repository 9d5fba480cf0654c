import { ExternalLink } from 'lucide-react'
import { MessageBadge } from '../badges.tsx'
import { LongText } from '../../../components/long-text.tsx'
import { OutsideLink } from '../../../components/outside-link.tsx'
import { Panel } from '../../../components/panel.tsx'
import { Age } from '../../../components/time.tsx'
import { describeChannel } from './describe-channel.ts'
import type { Message } from './detail.ts'

/** Shows the messages about the deployment, one for each channel, with their states. */
export function MessagesPanel({ messages }: { readonly messages: readonly Message[] }) {
  return (
    <Panel title="Message" flush>
      {messages.length === 0 ? (
        <p className="p-4 text-muted">No messages sent. See the timeline.</p>
      ) : (
        <ul className="divide-y divide-line">
          {messages.map((message) => (
            <MessageRow key={message.id} message={message} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function MessageRow({ message }: { readonly message: Message }) {
  const { state, detail, url, edits, updatedAt } = message
  return (
    <li className="flex flex-col gap-1 px-4 py-2.5">
      <p className="flex flex-wrap items-center gap-2">
        <MessageBadge state={state} />
        <bdi className="min-w-0 font-medium break-words">{describeChannel(message)}</bdi>
        {url !== null && (
          <OutsideLink href={url} className="inline-flex min-h-7 items-center gap-1">
            Open
            <ExternalLink aria-hidden size={13} />
          </OutsideLink>
        )}
      </p>
      {detail !== null && (
        <p className="text-sm break-words text-muted">
          <LongText text={detail} />
        </p>
      )}
      <p className="text-sm text-muted">
        {edits > 0 ? `Updated ${edits} ${edits === 1 ? 'time' : 'times'}, last` : 'Last updated'}{' '}
        <Age at={updatedAt} />
      </p>
    </li>
  )
}
