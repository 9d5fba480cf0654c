import { createElement } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { App, type AppProps } from './app.ts'

declare const given: { readonly props: AppProps; readonly isRendered: boolean }

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root')
const begun = performance.now()
const texts: string[] = []
const note = () => {
  const text = root.innerText
  if (texts.at(-1) !== text && text !== '') texts.push(text)
  if (text !== 'wait' && text !== '')
    Object.assign(window, { shownAfterMs: performance.now() - begun })
}
note()
const observer = new MutationObserver(() => {
  note()
  if (root.innerText !== 'wait') observer.disconnect()
})
Object.assign(window, { history_: texts })
observer.observe(root, { childList: true, subtree: true, characterData: true })
new MutationObserver(note).observe(root, { childList: true, subtree: true, characterData: true })

const element = createElement(App, given.props)
if (given.isRendered) Object.assign(window, { root: hydrateRoot(root, element) })
else {
  const created = createRoot(root)
  created.render(element)
  Object.assign(window, { root: created })
}
