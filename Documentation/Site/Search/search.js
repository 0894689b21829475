// Searches the index that search.py writes. A page is found if it has, for each word of the query, a word that begins
// with it.
const LIMIT = 30

// Returns the place of the first word that is not before the given one.
function place(words, word) {
  let [low, high] = [0, words.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (words[middle] < word) low = middle + 1
    else high = middle
  }
  return low
}

// Returns the score of each page that has a word with this beginning. Rare words count more, and exact ones twice.
function scores({ pages, words, postings }, beginning) {
  const found = new Map()
  for (let at = place(words, beginning); at < words.length && words[at].startsWith(beginning); at++) {
    const list = postings[at]
    const rarity = Math.log(1 + pages.length / (list.length / 2))
    const weight = rarity * (words[at] === beginning ? 2 : 1)
    for (let i = 0; i < list.length; i += 2) {
      found.set(list[i], Math.max(found.get(list[i]) ?? 0, list[i + 1] * weight))
    }
  }
  return found
}

// Returns the pages that have all words of the query, the best first.
function search(index, query) {
  const words = [...new Set(query.toLowerCase().match(/[a-z0-9_]+/g) ?? [])]
  if (words.length === 0) return []
  const [first, ...others] = words.map(word => scores(index, word))
  const sums = []
  for (const [page, score] of first) {
    if (others.every(other => other.has(page))) {
      sums.push([others.reduce((sum, other) => sum + other.get(page), score), page])
    }
  }
  sums.sort((a, b) => b[0] - a[0] || a[1] - b[1])
  return sums.map(([, page]) => index.pages[page])
}

function item([path, title, above, abstract]) {
  const link = Object.assign(document.createElement('a'), { href: `../${path}/`, textContent: title })
  const name = Object.assign(document.createElement('span'), { textContent: above })
  const text = Object.assign(document.createElement('p'), { textContent: abstract })
  const item = document.createElement('li')
  item.append(link, name, text)
  return item
}

const field = document.querySelector('input')
const reading = fetch('index.json').then(answer => answer.json())

async function show() {
  const query = field.value
  const found = search(await reading, query)
  if (query !== field.value) return
  document.querySelector('#results').replaceChildren(...found.slice(0, LIMIT).map(item))
  document.querySelector('#status').textContent =
    query.trim() === '' ? '' : found.length === 0 ? 'No page has all of these words.' : `${found.length} pages`
}

field.value = new URLSearchParams(location.search).get('q') ?? ''
field.addEventListener('input', show)
document.querySelector('form').addEventListener('submit', event => event.preventDefault())
show()
