import { markup, type Markup } from '../../http/page.ts'

/** Returns whether a name is one of a person, or of everybody. */
export type IsName = (name: string) => boolean

/** Finds the marks of Markdown within a line, in the order in which they are tried. */
const inline =
  /\\(?<escaped>[\\`*_{}[\]()#$+\-.!>~|])|`(?<code>[^`]+)`|\[(?<label>(?:\\.|[^\]\\])*)\]\((?<url>[^\s()]+)\)|\*\*(?<strong>(?:\\.|[^\\])+?)\*\*|~~(?<gone>.+?)~~|(?<![\w\\])[*_](?<soft>[^\s*_](?:\\.|[^*_\\])*?)[*_](?!\w)|(?<address>(?:https?:\/\/|www\.)[^\s<>]+)|(?<![\w])@(?<mention>[\w.-]+)|(?<![\w])~(?<channel>[\w-]+)|(?<![\w&])#(?<tag>[a-z][\w-]+)|:(?<emoji>[a-z0-9_+-]+):|(?<emoticon><3|;\)|:\)|:\(|=\))/giu

/** Returns a text of Markdown as Mattermost shows it, as far as messages use it. */
export function renderMarkdown(text: string, isName: IsName): Markup {
  const lines = text.split('\n').map((line) => renderLine(line, isName))
  return markup`${lines.flatMap((line, index) => (index === 0 ? [line] : [markup`<br>`, line]))}`
}

function renderLine(line: string, isName: IsName): Markup {
  const [, marks = '', rest = ''] = /^(#{1,6} +|> ?|[-+*] +|\d+[.)] +)(.*)$/.exec(line) ?? []
  const content = renderInline(marks === '' ? line : rest, isName)
  if (marks.startsWith('#')) return markup`<h4>${content}</h4>`
  if (marks.startsWith('>')) return markup`<blockquote>${content}</blockquote>`
  return marks === '' ? content : markup`<li>${content}</li>`
}

function renderInline(text: string, isName: IsName): Markup {
  const parts: Markup[] = []
  let from = 0
  for (const match of text.matchAll(inline)) {
    parts.push(markup`${text.slice(from, match.index)}`, renderMatch(match, isName))
    from = match.index + match[0].length
  }
  parts.push(markup`${text.slice(from)}`)
  return markup`${parts}`
}

type Groups = Readonly<Record<string, string | undefined>>

function renderMatch({ 0: whole, groups = {} }: RegExpMatchArray, isName: IsName): Markup {
  const { escaped, code, emoji, emoticon } = groups
  if (escaped !== undefined) return markup`${escaped}`
  if (code !== undefined) return markup`<code>${code}</code>`
  if (isMention(groups, isName)) return markup`<span class="mention">${whole}</span>`
  if (emoji !== undefined || emoticon !== undefined) {
    return markup`<span class="emoji" title="${whole}">🙂</span>`
  }
  return renderStyled(groups, isName) ?? renderLink(groups, isName) ?? markup`${whole}`
}

function isMention({ mention, channel, tag }: Groups, isName: IsName): boolean {
  return channel !== undefined || tag !== undefined || (mention !== undefined && isName(mention))
}

function renderStyled({ strong, gone, soft }: Groups, isName: IsName): Markup | undefined {
  if (strong !== undefined) return markup`<b>${renderInline(strong, isName)}</b>`
  if (gone !== undefined) return markup`<s>${renderInline(gone, isName)}</s>`
  return soft === undefined ? undefined : markup`<i>${renderInline(soft, isName)}</i>`
}

function renderLink({ label, url, address }: Groups, isName: IsName): Markup | undefined {
  if (address !== undefined) return markup`<a href="${address}" rel="noreferrer">${address}</a>`
  return label !== undefined && url !== undefined && /^https?:/.test(url)
    ? markup`<a href="${url}" rel="noreferrer">${renderInline(label, isName)}</a>`
    : undefined
}
