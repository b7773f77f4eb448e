import { Briefcase, Camera, Globe } from 'lucide'
import { expect, it } from 'vitest'
import { socialProfiles } from './social-profiles'

it('a profile has the name and the drawing of its network', () => {
  const lines = [
    'https://www.Instagram.com/anna.respira/?hl=it',
    'https://it.linkedin.com/in/anna',
    'https://notinstagram.com/anna',
    'https://blog.example.org:8443/anna',
    'http://instagram.com/anna',
    'javascript:alert(1)',
    '',
  ]
  expect(socialProfiles(lines.join('\n')).map(({ name, icon }) => [name, icon])).toEqual([
    ['Instagram', Camera],
    ['LinkedIn', Briefcase],
    ['notinstagram.com', Globe],
    ['blog.example.org', Globe],
  ])
  expect(socialProfiles(null)).toEqual([])
})

it('two profiles of one network are told apart', () => {
  const lines = 'https://instagram.com/anna/\nhttps://instagram.com/respiro?x=1'
  expect(socialProfiles(lines).map(({ name }) => name)).toEqual([
    'Instagram, anna',
    'Instagram, respiro',
  ])
})
