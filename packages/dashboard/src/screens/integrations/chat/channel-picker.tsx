import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Hash, Lock, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import type { ApiProblem } from '../../../api/problem.ts'
import type { AnswerOf } from '../../../api/routes.ts'
import { showMore } from '../../../api/show-more.ts'
import { Button } from '../../../components/button.tsx'
import { Combobox } from '../../../components/combobox.tsx'
import { offerOptions } from '../../../components/offer-options.ts'
import { FormProblem } from '../../../components/states.tsx'
import { useDebounced } from '../../../browser/use-debounced.ts'
import { useOrganization } from '../../../session/organization.ts'
import { useProviderName } from '../../../session/use-provider-name.ts'
import { describeStanding, findObstacle } from './describe-standing.ts'
import { channelsRoute, type Channel } from './channel.ts'

interface ChannelPickerProps {
  /** Called with the channel, and with what keeps messages out of it, if anything. */
  readonly onChoose: (channel: Channel, obstacle: string | undefined) => void
  /** Holds the reason why the channel was refused. */
  readonly error?: string | undefined
}

/** Lets a person search for a channel, with the bot's channels first. Text below explains why others are missing. */
export function ChannelPicker({ onChoose, error }: ChannelPickerProps) {
  const [query, setQuery] = useState('')
  const typed = query.trim()
  const settled = useDebounced(typed)
  const channels = useChannels(settled)
  const pages = channels.data?.pages ?? []
  const options = offerOptions({
    results: channels.data && orderChannels(pages.flatMap((page) => page.items)),
    isOld: settled !== typed || channels.isPlaceholderData,
    fits: ({ name }) => fitsName(name, typed),
  })
  return (
    <>
      <FormProblem problem={channels.error} />
      <Combobox
        label="Channel"
        placeholder="Search channels"
        query={query}
        onQuery={setQuery}
        options={options}
        keyOf={({ id }) => id}
        render={(channel) => <ChannelOption channel={channel} />}
        onChoose={(channel) => onChoose(channel, findObstacle(channel))}
        footer={
          <div className="flex flex-col gap-2">
            <ChoiceError text={error} />
            <div className="flex flex-wrap items-center gap-2">
              <span className="min-w-48 flex-1">
                {channels.isPending ? (
                  <Asking />
                ) : (
                  options && describeShown(options.length, pages.at(-1))
                )}
              </span>
              {channels.hasNextPage && (
                <Button
                  variant="quiet"
                  pending={channels.isFetchingNextPage}
                  onClick={() => void showMore(channels)}
                >
                  Load more
                </Button>
              )}
              <Button
                variant="quiet"
                icon={RefreshCw}
                pending={channels.isRefetching}
                onClick={() => void channels.refetch()}
              >
                Refresh
              </Button>
            </div>
          </div>
        }
      />
    </>
  )
}

function fitsName(name: string, typed: string): boolean {
  return name.toLowerCase().includes(typed.replace(/^#/, '').toLowerCase())
}

/** Reads the channels whose name contains a text, page by page: a large workspace has several pages. */
function useChannels(part: string) {
  const { params } = useOrganization()
  const request = { params, query: { limit: 100, ...(part !== '' && { query: part }) } }
  return useInfiniteQuery<
    AnswerOf<typeof channelsRoute>,
    ApiProblem,
    { readonly pages: readonly AnswerOf<typeof channelsRoute>[] },
    readonly unknown[],
    string | null
  >({
    queryKey: [channelsRoute, request, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(channelsRoute, pageParam === null ? request : { ...request, cursor: pageParam }, signal),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  })
}

/** Returns the number of channels, and the server's reason why others may be missing. */
function describeShown(count: number, page: AnswerOf<typeof channelsRoute> | undefined): string {
  return [`${count} ${count === 1 ? 'channel' : 'channels'}.`, page?.hint ?? ''].join(' ').trim()
}

function ChannelOption({ channel }: { readonly channel: Channel }) {
  const { name, isPrivate } = channel
  const Icon = isPrivate ? Lock : Hash
  return (
    <>
      <Icon
        role="img"
        aria-label={isPrivate ? 'Private' : 'Public'}
        size={14}
        className="shrink-0 text-muted"
      />
      <span className="min-w-0 flex-1 truncate">{name}</span>
      <span className="text-sm whitespace-nowrap text-muted">{describeStanding(channel)}</span>
    </>
  )
}

function Asking() {
  return `Asking ${useProviderName('chat')} …`
}

function ChoiceError({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p role="alert" className="text-bad">
      {text}
    </p>
  )
}

/** Sorts channels: those with the bot first, archived ones last. The server includes archived ones in a search by name. */
function orderChannels(channels: readonly Channel[]): readonly Channel[] {
  return channels.toSorted(
    (a, b) =>
      Number(a.isArchived) - Number(b.isArchived) ||
      Number(b.isMember) - Number(a.isMember) ||
      a.name.localeCompare(b.name),
  )
}
