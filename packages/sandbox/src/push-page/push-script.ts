/**
 * Holds the script that keeps the page up to date: it submits the forms without leaving the page, and fetches
 * changes. Without it the forms work as usual.
 */
export const pushScript = `
const live = document.getElementById('live')
const said = document.getElementById('said')
let shown = live.innerHTML

async function refresh() {
  const answer = await fetch('/live')
  const text = await answer.text()
  if (!answer.ok || text === shown) return
  shown = text
  const opened = [...live.querySelectorAll('details[open]')].map(({ id }) => id)
  const focused = document.activeElement?.id
  live.innerHTML = text
  for (const id of opened) document.getElementById(id)?.setAttribute('open', '')
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true })
}

document.addEventListener('submit', async (event) => {
  event.preventDefault()
  const form = event.target
  const body = new URLSearchParams(new FormData(form, event.submitter))
  const answer = await fetch(form.action, { method: 'POST', body, redirect: 'manual' })
  const worked = answer.ok || answer.type === 'opaqueredirect'
  said.textContent = worked ? form.dataset.said : 'The sandbox refused that.'
  await refresh()
})

async function follow() {
  try {
    await refresh()
    document.body.classList.remove('away')
  } catch {
    document.body.classList.add('away')
  }
  setTimeout(follow, document.hidden ? 5000 : 700)
}
follow()
`
