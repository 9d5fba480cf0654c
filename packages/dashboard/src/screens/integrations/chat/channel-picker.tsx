import { useQuery } from '@tanstack/react-query'
import { Hash, Lock, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import type { ItemOf } from '../../../api/routes.ts'
import { Button } from '../../../parts/button.tsx'
import { Combobox } from '../../../parts/combobox.tsx'
import { FormProblem } from '../../../parts/states.tsx'
import { useDebounced } from '../../../parts/use-debounced.ts'
import { useOrganization } from '../../../shell/organization.ts'
import { orderChannels } from './order-channels.ts'

export type Channel = ItemOf<'GET /organizations/{org_id}/integrations/chat/channels'>

interface ChannelPickerProps {
  readonly onChoose: (channel: Channel) => void
}

const channelsRoute = 'GET /organizations/{org_id}/integrations/chat/channels'

/** Channels by typing, those that the bot is in first; why others are missing stands below. */
export function ChannelPicker({ onChoose }: ChannelPickerProps) {
  const { params } = useOrganization()
  const [query, setQuery] = useState('')
  const asked = useDebounced(query.trim())
  const request = { params, query: { limit: 100, ...(asked !== '' && { query: asked }) } }
  const channels = useQuery({
    queryKey: [channelsRoute, request],
    queryFn: ({ signal }) => call(channelsRoute, request, signal),
    placeholderData: (before) => before,
  })
  const items = orderChannels(channels.data?.items ?? [])
  return (
    <>
      <FormProblem problem={channels.error} />
      <Combobox
        label="Channel"
        placeholder="Search channels"
        query={query}
        onQuery={setQuery}
        options={items}
        keyOf={({ id }) => id}
        render={(channel) => <ChannelOption channel={channel} />}
        onChoose={onChoose}
        footer={
          <div className="flex items-center justify-between gap-2">
            <span>
              {channels.data === undefined
                ? 'Asking Slack …'
                : `${items.length} shown${channels.data.complete ? '' : ', there are more: type to search'}.`}{' '}
              {channels.data?.hint}
            </span>
            <Button
              look="quiet"
              icon={RefreshCw}
              pending={channels.isFetching}
              onClick={() => void channels.refetch()}
            >
              Refresh
            </Button>
          </div>
        }
      />
    </>
  )
}

function ChannelOption({ channel }: { readonly channel: Channel }) {
  const { name, isPrivate, isMember, isArchived } = channel
  const Icon = isPrivate ? Lock : Hash
  return (
    <>
      <Icon aria-hidden size={14} className="shrink-0 text-muted" />
      <span className="min-w-0 flex-1 truncate">{name}</span>
      <span className="text-sm whitespace-nowrap text-muted">
        {isArchived
          ? 'archived'
          : isMember
            ? 'the bot is in it'
            : isPrivate
              ? 'invite the bot first'
              : 'public'}
      </span>
    </>
  )
}
