import { chromium } from 'playwright-core'
const base=process.env.BASE??'http://127.0.0.1:5391'
const out='/tmp/pg/shots'
import {mkdirSync} from 'node:fs'; mkdirSync(out,{recursive:true})
const [,, which, widths='1440,375', schemes='light']=process.argv
const browser=await chromium.launch({executablePath:'/usr/bin/chromium-headless-shell',args:['--no-sandbox']})
for(const w of widths.split(',').map(Number)) for(const colorScheme of schemes.split(',')){
  const context=await browser.newContext({viewport:{width:w,height:w<500?760:900},colorScheme,locale:'it-IT',timezoneId:'Europe/Rome',hasTouch:w<500,isMobile:w<500,reducedMotion:'reduce'})
  const page=await context.newPage()
  page.on('pageerror',e=>console.log('ERR',e.message))
  const lr=await context.request.post(base+'/api/auth/login',{data:{email:'anna@example.com',password:'respiro-lento-e-profondo'},headers:{origin:base}}); console.log('login',lr.status())
  const shot=async n=>{await page.waitForTimeout(500);await page.screenshot({path:`${out}/${which}-${n}-${w}-${colorScheme}.png`})}
  try{ await (await import(`/tmp/pg/${which}.mjs`)).default({page,shot,base,context,w}) }catch(e){console.log(e.message); await shot('fail')}
  await context.close()
}
await browser.close()
