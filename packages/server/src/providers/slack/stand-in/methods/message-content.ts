import type { MessageMetadata } from '@slack/types'
import { checkBlocks } from '../blocks/check-blocks.ts'
import type { SlackBlock } from '../blocks/slack-block.ts'
import { fieldOf, refuse, type SlackBody, type SlackCall } from '../method.ts'

export interface MessageContent {
  /** Holds the text. Empty when there are only blocks. */
  readonly text: string
  readonly blocks: readonly SlackBlock[] | undefined
  /** Holds the metadata. `undefined`: none was sent. */
  readonly metadata: MessageMetadata | undefined
}

/** Reads `text`, `blocks` and `metadata` of a message, or returns the rejection. */
export function readContent(
  call: SlackCall,
): { readonly content: MessageContent } | { readonly refused: SlackBody } {
  const text = fieldOf(call, 'text') ?? ''
  const json = fieldOf(call, 'blocks')
  const checked = json === undefined ? { blocks: [] } : checkBlocks(json)
  if ('error' in checked) return { refused: refuseBlocks(checked.error, checked.problems) }
  const blocks = checked.blocks.length === 0 ? undefined : checked.blocks
  if (text === '' && blocks === undefined) return { refused: refuse('no_text') }
  const metadata = parseMetadata(fieldOf(call, 'metadata'))
  if (metadata === 'wrong') return { refused: refuse('invalid_metadata_format') }
  return { content: { text, blocks, metadata } }
}

function refuseBlocks(error: string, problems: readonly string[]): SlackBody {
  if (problems.length === 0) return refuse(error)
  const messages = problems.map((problem) => `[ERROR] ${problem}`)
  return refuse(error, { errors: problems, response_metadata: { messages } })
}

function parseMetadata(json: string | undefined): MessageMetadata | 'wrong' | undefined {
  if (json === undefined) return undefined
  try {
    const value: unknown = JSON.parse(json)
    return isMetadata(value) ? value : 'wrong'
  } catch {
    return 'wrong'
  }
}

function isMetadata(value: unknown): value is MessageMetadata {
  if (typeof value !== 'object' || value === null) return false
  if (!('event_type' in value) || !('event_payload' in value)) return false
  const { event_type, event_payload } = value
  return (
    typeof event_type === 'string' &&
    event_type !== '' &&
    typeof event_payload === 'object' &&
    event_payload !== null &&
    !Array.isArray(event_payload)
  )
}
