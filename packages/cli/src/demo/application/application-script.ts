/** Holds the script of the application: a client that follows the delivery, and a shop that renders what it has. */
export const applicationScript = `
const { configUrl, browserKey, schemaId, environmentId, client: clientModule } = document.documentElement.dataset
const { createConfigClient } = await import(clientModule)
const client = createConfigClient({ serverUrl: configUrl, token: browserKey, schemaId, environmentId })

const byId = (id) => document.getElementById(id)
const setText = (id, text) => { if (byId(id).textContent !== text) byId(id).textContent = text }
const products = [
  ['Desk lamp', 49], ['Notebook', 9], ['Backpack', 79], ['Water bottle', 19],
  ['Headphones', 129], ['Wall clock', 35], ['Coffee mug', 12], ['Blanket', 59],
]
const flows = {
  old: ['Enter your address', 'Choose the shipping', 'Enter your card'],
  new: ['Pay with the card that you used last'],
}
let step = 0
let flow = flows.old
let before

function renderProducts({ catalogPageSize, showPrices }, price) {
  byId('products').replaceChildren(...products.slice(0, catalogPageSize).map(([name, amount]) => {
    const item = document.createElement('li')
    item.append(name)
    if (showPrices) {
      const tag = document.createElement('span')
      tag.textContent = price(amount)
      item.append(tag)
    }
    return item
  }))
}

function renderCheckout() {
  const isNew = flow === flows.new
  const isDone = step === flow.length
  byId('checkout-next').textContent = isDone ? 'Start again' : step + 1 < flow.length ? 'Continue' : 'Buy now'
  setText('checkout-title', isNew ? 'New checkout: one step' : 'Checkout: three steps')
  setText('checkout-step', isDone ? 'Ordered. Nothing was charged.' : 'Step ' + (step + 1) + ' of ' + flow.length + ': ' + flow[step])
}

byId('checkout-next').addEventListener('click', () => {
  step = step === flow.length ? 0 : step + 1
  renderCheckout()
})

function renderValues(values) {
  const rows = Object.entries(values).map(([key, value]) => {
    const row = document.createElement('tr')
    const name = document.createElement('th')
    name.scope = 'row'
    name.textContent = key
    const cell = document.createElement('td')
    cell.textContent = JSON.stringify(value)
    // An object is another one in each snapshot.
    if (before && JSON.stringify(before[key]) !== JSON.stringify(value)) row.className = 'changed'
    row.append(name, cell)
    return row
  })
  byId('values').replaceChildren(...rows)
  before = values
}

function render(snapshot) {
  const values = { ...snapshot.public, ...snapshot.featureFlags }
  const money = new Intl.NumberFormat('en', { style: 'currency', currency: values.currency ?? 'EUR', maximumFractionDigits: 0 })
  const price = (amount) => money.format(amount)
  document.title = values.storeName ?? ''
  setText('store', values.storeName ?? '')
  setText('announcement', values.announcement ?? '')
  byId('announcement').hidden = !values.announcement
  byId('closed').hidden = !snapshot.flag('maintenance')
  byId('open').hidden = snapshot.flag('maintenance')
  setText('shipping', price(values.freeShippingFrom ?? 0))
  setText('support', values.supportEmail ?? '')
  const { days, from, until } = values.supportHours ?? {}
  setText('hours', days + ' from ' + from + ' to ' + until)
  renderProducts(values, price)
  const next = snapshot.flag('newCheckout') ? flows.new : flows.old
  if (next !== flow) step = 0
  flow = next
  renderCheckout()
  renderValues(values)
}

function renderStatus() {
  const { version, source, fetchedAt, stale } = client.status
  const isLive = source === 'network' && !stale
  setText('state', isLive ? 'Live' : version === 0 ? 'Connecting' : 'Not connected')
  byId('state').classList.toggle('good', isLive)
  setText('version', String(version))
  setText('time', fetchedAt ? new Date(fetchedAt).toLocaleTimeString() : '–')
}

client.subscribe((snapshot) => { render(snapshot); renderStatus() })
await client.ready()
render(client.snapshot())
renderStatus()
setInterval(renderStatus, 1000)
`
