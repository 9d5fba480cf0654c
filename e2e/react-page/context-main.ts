import { createElement } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { ContextApp, type ContextAppProps } from './context-app.ts'

declare const given: ContextAppProps

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root')
const texts: string[] = [root.innerText]
const errors: unknown[] = []
new MutationObserver(() => {
  if (texts.at(-1) !== root.innerText) texts.push(root.innerText)
}).observe(root, { childList: true, subtree: true, characterData: true })

const show = (contexts: ContextAppProps['contexts']) => {
  const onError = (error: unknown) => errors.push(String(error))
  const provider = { ...given.provider, onError }
  return createElement(ContextApp, { ...given, provider, contexts })
}
const hydrated = hydrateRoot(root, show(given.contexts))
Object.assign(window, {
  texts,
  errors,
  change: (contexts: ContextAppProps['contexts']) => hydrated.render(show(contexts)),
})
