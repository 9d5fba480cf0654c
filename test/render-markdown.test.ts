import { describe, expect, it } from 'vitest'
import { openDisclosures, renderMarkdown, rewriteLinks } from '../scripts/docs/render-markdown.ts'

const linkTo = (target: string) => (target.endsWith('.ts') ? undefined : target.replace('.md', ''))
const render = (markdown: string) => renderMarkdown(markdown, linkTo).html

describe('renderMarkdown', () => {
  it('names headings as GitHub does, so that links to them lead to the same place', () => {
    const { headings } = renderMarkdown('# `a_b` & c, *d*\n\n## It’s 2.0?', linkTo)
    expect(headings).toEqual([
      { level: 1, id: 'a_b--c-d', title: '<code>a_b</code> &amp; c, <em>d</em>' },
      { level: 2, id: 'its-20', title: 'It’s 2.0?' },
    ])
  })

  it('never takes text for markup: neither HTML, nor marks that stand in code', () => {
    expect(render('a <b> `<i> **x** [y](z)` & "c"')).toBe(
      '<p>a &lt;b&gt; <code>&lt;i&gt; **x** [y](z)</code> &amp; &quot;c&quot;</p>',
    )
    expect(render('```ts\nif (a < b) `x`\n```')).toBe(
      '<pre tabindex="0"><code>if (a &lt; b) `x`\n</code></pre>',
    )
  })

  it('renders bold text and links around code, and 2 * 3 * 4 as it is', () => {
    expect(render('**`a` b** [`c`](d.md#e) 2 * 3 * 4')).toBe(
      '<p><strong><code>a</code> b</strong> <a href="d#e"><code>c</code></a> 2 * 3 * 4</p>',
    )
  })

  it('keeps the text of a link to what is not served', () => {
    expect(render('see [the code](x.ts)')).toBe('<p>see the code</p>')
    expect(rewriteLinks('[a](b.md) and [`c`](d.ts)', linkTo)).toBe('[a](b) and `c`')
  })

  it('renders tables with a bar in a cell, and without a heading that says nothing', () => {
    expect(render('| a | |\n|---|---|\n| `b\\|c` | d |')).toContain(
      '<thead><tr><th scope="col">a</th><td></td></tr></thead>\n<tbody>\n<tr><td><code>b|c</code></td><td>d</td></tr>',
    )
    expect(render('| | |\n|---|---|\n| a | b |')).not.toContain('<thead>')
  })

  it('joins the lines of an item, and goes on counting after the code of a step', () => {
    expect(render('- a\n  b\n- c\n\n1. d\n\n```sh\nls\n```\n\n2. e')).toBe(
      '<ul>\n<li>a\nb</li>\n<li>c</li>\n</ul>\n<ol>\n<li>d</li>\n</ol>\n<pre tabindex="0"><code>ls\n</code></pre>\n<ol start="2">\n<li>e</li>\n</ol>',
    )
  })

  const disclosure =
    'a\n\n<details>\n<summary>With `curl`</summary>\n\n```sh\nls\n```\n\n| a |\n|---|\n| b |\n\n</details>\n\nc\n'

  it('renders a disclosure with what it holds, and shows it to programs as text', () => {
    const html = render(disclosure)
    expect(html).toContain('<details>\n<summary>With <code>curl</code></summary>\n<pre')
    expect(html).toContain('</table></div>\n</details>\n<p>c</p>')
    expect(openDisclosures(disclosure)).toBe(
      'a\n\n**With `curl`**\n\n```sh\nls\n```\n\n| a |\n|---|\n| b |\n\nc\n',
    )
  })

  it.each([
    ['is not closed', '<details>\n<summary>a</summary>\n\nb', 'Nothing closes a disclosure'],
    ['has no summary', '<details>\n\nb\n\n</details>', 'Nothing renders this HTML'],
    [
      'has a heading',
      '<details>\n<summary>a</summary>\n\n## b\n\n</details>',
      'A disclosure has no heading: b',
    ],
  ])('refuses a disclosure that %s', (_, markdown, reason) => {
    expect(() => render(markdown)).toThrow(reason)
  })

  it.each([
    ['an image', 'a ![b](c.png)', 'No page has pictures'],
    ['a block of HTML', '<div onclick="x()">\n', 'Nothing renders this HTML'],
    ['a script', '<script>\nx()\n</script>\n', 'Nothing renders this HTML'],
    ['HTML after a comment', '<!-- a --><b>', 'Nothing renders this HTML'],
  ])('refuses %s', (_, markdown, reason) => {
    expect(() => render(markdown)).toThrow(reason)
  })

  it('refuses two headings of one name, since no link could reach the second', () => {
    expect(() => render('# a\n\n## a')).toThrow('Two headings are #a')
  })
})
