import type { TextObject } from '@slack/types'
import { markup, type Markup } from '../../../../../../sandbox/src/http/page.ts'
import type { SlackBlock } from '../blocks/slack-block.ts'
import { withEmoji } from './emoji.ts'
import { renderMrkdwn, decodeEscapes, type NameOf } from './render-mrkdwn.ts'

/** Renders the blocks of a message. Images are shown by their description, because nothing is loaded. */
export function renderBlocks(blocks: readonly SlackBlock[], nameOf: NameOf): Markup {
  return markup`${blocks.map((block) => renderBlock(block, nameOf))}`
}

function renderBlock(block: SlackBlock, nameOf: NameOf): Markup {
  switch (block.type) {
    case 'header':
      return markup`<h2>${plain(block.text.text)}</h2>`
    case 'divider':
      return markup`<hr>`
    case 'section':
      return renderSection(block, nameOf)
    case 'context':
      return markup`<p class="context">${block.elements.map((element) => renderElement(element, nameOf))}</p>`
    case 'actions':
      return markup`<p class="actions">${block.elements.map((element) => renderElement(element, nameOf))}</p>`
    case 'image':
      return markup`<figure>${block.title && markup`<figcaption>${plain(block.title.text)}</figcaption>`}${image(block.alt_text)}</figure>`
  }
}

function renderSection(
  { text, fields, accessory }: Extract<SlackBlock, { type: 'section' }>,
  nameOf: NameOf,
): Markup {
  const fieldList =
    fields &&
    markup`<div class="fields">${fields.map((field) => markup`<div>${renderText(field, nameOf)}</div>`)}</div>`
  return markup`<div class="section"><div>${text && renderText(text, nameOf)}${fieldList}</div>${accessory && renderElement(accessory, nameOf)}</div>`
}

type Element =
  | Extract<SlackBlock, { type: 'actions' | 'context' }>['elements'][number]
  | NonNullable<Extract<SlackBlock, { type: 'section' }>['accessory']>

function renderElement(element: Element, nameOf: NameOf): Markup {
  switch (element.type) {
    case 'mrkdwn':
    case 'plain_text':
      return markup`<span>${renderText(element, nameOf)}</span>`
    case 'image':
      return image(element.alt_text)
    case 'button':
      return renderButton(element)
  }
}

function renderButton({ text, url, style }: Extract<Element, { type: 'button' }>): Markup {
  const label = plain(text.text)
  const classes = `button ${style ?? ''}`.trim()
  return url !== undefined && /^https?:\/\//i.test(url)
    ? markup`<a class="${classes}" href="${url}" rel="noreferrer">${label}</a>`
    : markup`<span class="${classes}">${label}</span>`
}

function renderText(text: TextObject, nameOf: NameOf): Markup {
  return text.type === 'mrkdwn' ? renderMrkdwn(text.text, nameOf) : markup`${plain(text.text)}`
}

function plain(text: string): string {
  return withEmoji(decodeEscapes(text))
}

function image(description: string): Markup {
  return markup`<span class="image" role="img" aria-label="${description}">${description}</span>`
}
