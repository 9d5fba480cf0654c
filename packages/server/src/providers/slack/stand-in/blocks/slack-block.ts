import type {
  ActionsBlock,
  Button,
  ContextBlock,
  DividerBlock,
  HeaderBlock,
  ImageBlock,
  ImageElement,
  SectionBlock,
} from '@slack/types'

/**
 * Lists the kinds of block that the pretended Slack knows, with buttons and images as their only elements. It refuses
 * all others.
 */
export type SlackBlock =
  | ContextBlock
  | DividerBlock
  | HeaderBlock
  | ImageBlock
  | (Omit<ActionsBlock, 'elements'> & { readonly elements: readonly Button[] })
  | (Omit<SectionBlock, 'accessory'> & { readonly accessory?: Button | ImageElement })
