// Adds a search to the pages of the documentation, and a filter to the API reference. The pages are whole without it.

const mostResults = 12

/** Creates an element. Text is always text: the policy of the page lets no script write markup. */
const create = (tag, attributes, ...children) => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/** Splits what was typed into words. */
const toWords = (text) => text.toLowerCase().split(/\s+/).filter(Boolean)

/** The sections of all pages, loaded when the search is first used. */
let index
const loadIndex = () => {
  index ??= fetch('/docs/reference/search-index.json').then((answer) => {
    if (!answer.ok) throw new Error(String(answer.status))
    return answer.json()
  })
  return index
}

/** Counts how well a section fits; 0 when a word is missing. A heading counts most, then the title of its page. */
const rate = ({ page, title, text }, words) => {
  const [inTitle, inPage, inText] = [title, page, text].map((part) => part.toLowerCase())
  const phrase = words.join(' ')
  let sum = inTitle === phrase ? 40 : inTitle.startsWith(phrase) ? 20 : 0
  for (const word of words) {
    const points =
      (inTitle.includes(word) ? 10 : 0) +
      (inPage.includes(word) ? 4 : 0) +
      (inText.includes(word) ? 1 : 0)
    if (points === 0) return 0
    sum += points
  }
  return sum
}

const findSections = (sections, words) =>
  sections
    .map((section) => ({ section, points: rate(section, words) }))
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points)
    .slice(0, mostResults)
    .map(({ section }) => section)

/** Marks the words in a text. */
const mark = (text, words) => {
  const escaped = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  const parts = text.split(new RegExp(`(${escaped.join('|')})`, 'gi'))
  return parts.map((part, at) => (at % 2 === 1 ? create('mark', {}, part) : part))
}

/** Cuts the text around the first word that it has. */
const excerptOf = (text, words) => {
  const lower = text.toLowerCase()
  const found = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0)
  const start = Math.max(0, Math.min(...found, text.length) - 50)
  const from = found.length === 0 || start === 0 ? 0 : text.indexOf(' ', start) + 1
  const isWhole = text.length <= from + 140
  const end = isWhole ? text.length : text.lastIndexOf(' ', from + 140)
  return `${from > 0 ? '… ' : ''}${text.slice(from, Math.max(end, from + 60))}${isWhole ? '' : ' …'}`
}

const toResult = ({ page, title, text, address }, words) =>
  create(
    'li',
    {},
    create(
      'a',
      { href: address },
      create('strong', {}, ...mark(title, words)),
      ...(page === title ? [] : [create('span', { class: 'from' }, page)]),
      create('span', { class: 'excerpt' }, ...mark(excerptOf(text, words), words)),
    ),
  )

const addSearch = (header) => {
  const input = create('input', {
    type: 'search',
    placeholder: 'Search the docs',
    'aria-label': 'Search the documentation',
    'aria-keyshortcuts': '/',
    autocomplete: 'off',
    spellcheck: 'false',
  })
  const status = create('p', { role: 'status' })
  const list = create('ol', {})
  const results = create('div', { class: 'results', hidden: '' }, status, list)
  const box = create('search', { class: 'search' }, input, results)
  header.querySelector('.brand').after(box)

  const show = async () => {
    const words = toWords(input.value)
    results.hidden = words.length === 0
    if (results.hidden) return
    let sections
    try {
      sections = await loadIndex()
    } catch {
      index = undefined
      status.textContent = 'Couldn’t load the search. Check your connection and try again.'
      list.replaceChildren()
      return
    }
    // Typed on meanwhile: a later call shows the results.
    if (words.join(' ') !== toWords(input.value).join(' ')) return
    const found = findSections(sections, words)
    status.textContent =
      found.length === 0
        ? 'No matches. Try fewer words.'
        : `${found.length === mostResults ? `First ${mostResults}` : found.length} results`
    if (found.length === 1) status.textContent = '1 result'
    list.replaceChildren(...found.map((section) => toResult(section, words)))
  }
  const close = () => {
    results.hidden = true
  }
  input.addEventListener('input', show)
  input.addEventListener('focus', show)
  list.addEventListener('click', close)
  document.addEventListener('pointerdown', ({ target }) => {
    if (!box.contains(target)) close()
  })
  box.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget !== null && !box.contains(relatedTarget)) close()
  })
  moveByKeys({ box, input, list, close })
}

/** Lets the arrow keys, Enter, Escape and `/` operate the search. */
const moveByKeys = ({ box, input, list, close }) => {
  box.addEventListener('keydown', (event) => {
    const links = [...list.querySelectorAll('a')]
    const at = links.indexOf(document.activeElement)
    if (event.key === 'Escape') {
      input.value = ''
      close()
      input.focus()
    } else if (event.key === 'ArrowDown') (links[at + 1] ?? links[0])?.focus()
    else if (event.key === 'ArrowUp') (at <= 0 ? input : links[at - 1]).focus()
    else if (event.key === 'Enter' && document.activeElement === input) links[0]?.click()
    else return
    event.preventDefault()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
  })
}

/** Hides the endpoints that lack a word, and the headings that have none left. */
const addFilter = (place) => {
  const input = create('input', {
    type: 'search',
    placeholder: 'Filter endpoints',
    'aria-label': 'Filter endpoints',
    autocomplete: 'off',
    spellcheck: 'false',
  })
  const status = create('span', { role: 'status' })
  place.append(input, status)
  const groups = [...document.querySelectorAll('section.endpoints')]
  input.addEventListener('input', () => {
    const words = toWords(input.value)
    let count = 0
    for (const group of groups) {
      const endpoints = [...group.querySelectorAll('details')]
      for (const endpoint of endpoints) {
        const text = endpoint.querySelector('summary').textContent.toLowerCase()
        endpoint.hidden = !words.every((word) => text.includes(word))
      }
      const shown = endpoints.filter(({ hidden }) => !hidden).length
      group.hidden = shown === 0
      count += shown
    }
    status.textContent =
      words.length === 0 ? '' : `${count} ${count === 1 ? 'endpoint' : 'endpoints'}`
  })
}

/** Opens the endpoint that the address names, so that a link leads to what it describes. */
const openTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (target?.tagName === 'DETAILS') target.open = true
}

addSearch(document.querySelector('header'))
const filterPlace = document.querySelector('.filter')
if (filterPlace !== null) addFilter(filterPlace)
openTarget()
addEventListener('hashchange', openTarget)
