/** Holds the script that updates a channel of a chat without a reload. Opened details stay open. */
export const chatScript = `
const shown = document.querySelector('.messages')
let seen = shown.innerHTML

async function refresh() {
  const answer = await fetch(location.href)
  if (!answer.ok) return
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const next = page.querySelector('.messages')
  if (next === null || next.innerHTML === seen) return
  seen = next.innerHTML
  const states = [...shown.querySelectorAll('details[id]')].map(({ id, open }) => [id, open])
  shown.replaceChildren(...next.childNodes)
  for (const [id, open] of states) {
    const same = document.getElementById(id)
    if (same) same.open = open
  }
}

async function follow() {
  await refresh().catch(() => undefined)
  setTimeout(follow, document.hidden ? 5000 : 700)
}
shown.setAttribute('role', 'log')
follow()
`
