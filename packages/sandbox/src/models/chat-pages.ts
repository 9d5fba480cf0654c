import { html, redirect } from '../http/answers.ts'
import { markup, renderPage, type Markup } from '../http/page.ts'
import { route, type Answer, type Route } from '../http/route.ts'
import { chatScript } from './chat-script.ts'
import { chatStyle } from './chat-style.ts'

/** Describes a channel as the list of a chat shows it. */
export interface ListedChannel {
  readonly id: string
  readonly label: string
}

/** Describes the page of a channel. */
export interface ShownChannel {
  readonly title: string
  /** Lists the teams with their channels. */
  readonly teams: readonly { readonly name: string; readonly channels: readonly ListedChannel[] }[]
  readonly messages: readonly Markup[]
}

/** Describes the pages of a chat, as a member of every channel sees it. */
export interface ChatPagesSettings {
  /** Names the chat. Example: `Slack`. */
  readonly title: string
  /** Holds the path of the pages. Example: `/slack/channels`. */
  readonly mount: string
  /** Holds the style sheet on top of the one of every chat. */
  readonly style: string
  /** Returns the id of the channel that is shown first. */
  readonly first: () => string
  readonly show: (id: string) => ShownChannel | undefined
  /** Holds another path of a channel's page, such as that of a message. It has `:id`. */
  readonly messagePath?: string
}

/** Creates the pages of the channels, `/` and `/:id`. */
export function chatPages(settings: ChatPagesSettings): Route[] {
  const { title, mount, first, show, messagePath } = settings
  const page = (id = ''): Answer => {
    const channel = show(id)
    return channel === undefined
      ? html(renderPage(`${title}: no such channel`, markup``), 404)
      : showChannel(settings, id, channel)
  }
  const paths = ['/:id', ...(messagePath === undefined ? [] : [messagePath])]
  return [
    route('GET /', ({ origin }) => redirect(`${origin}${mount}/${first()}`)),
    route('GET /channel.js', () => ({
      status: 200,
      headers: { 'content-type': 'text/javascript; charset=utf-8' },
      body: chatScript,
    })),
    ...paths.map((path) => route(`GET ${path}`, ({ params }) => page(params['id']))),
  ]
}

function showChannel(
  { mount, style }: ChatPagesSettings,
  current: string,
  { title, teams, messages }: ShownChannel,
): Answer {
  const lists = teams.map(({ name, channels }) => {
    const links = channels.map(({ id, label }) => {
      const here = id === current ? markup` aria-current="page"` : undefined
      return markup`<a href="${mount}/${id}"${here}>${label}</a>`
    })
    return markup`<b>${name}</b>${links}`
  })
  const empty = markup`<p class="empty quiet">No messages yet.</p>`
  const content = markup`<nav aria-label="Channels">${lists}</nav>
<div class="messages">${messages.length > 0 ? messages : empty}</div>
<script src="${mount}/channel.js"></script>`
  return html(renderPage(title, content, chatStyle + style))
}

/** Describes a message as a page shows it. */
export interface ShownMessage {
  readonly id: string
  readonly by: string
  /** Holds the mark of a message of an application, such as `APP`. `undefined`: a person wrote it. */
  readonly mark: string | undefined
  readonly at: Date
  /** Holds what stands beside the time. */
  readonly note?: string | undefined
  readonly content: Markup
  readonly thread?: Markup | undefined
}

/** Renders a message with its thread. */
export function renderMessage(message: ShownMessage): Markup {
  const { id, by, mark, at, note, content, thread } = message
  const time = at.toISOString()
  return markup`<article class="message" id="${id}">
<span class="${mark === undefined ? 'face' : 'face app'}" aria-hidden="true">${by.slice(0, 1).toUpperCase()}</span>
<div><span class="by">${by}</span>${mark && markup`<span class="app-mark">${mark}</span>`}
<time datetime="${time}">${time.slice(11, 16)}</time> <span class="quiet">${note}</span>
${content}${thread}</div>
</article>`
}

/** Renders the messages of a thread under its summary. `undefined`: there are none. */
export function renderThread(
  id: string,
  summary: string,
  messages: readonly Markup[],
): Markup | undefined {
  if (messages.length === 0) return undefined
  return markup`<details class="thread" id="thread-${id}" open><summary>${summary}</summary>
${messages}</details>`
}

/** Returns how many there are, in words. Example: `1 reply`, `2 replies`. */
export function countOf(count: number, one: string, more: string): string {
  return count === 1 ? `1 ${one}` : `${count} ${more}`
}

/** Joins lines by line breaks. */
export function joinLines(lines: readonly Markup[]): Markup {
  return markup`${lines.flatMap((line, index) => (index === 0 ? [line] : [markup`<br>`, line]))}`
}
