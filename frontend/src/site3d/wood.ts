// One shader for all pieces: grain that runs through the wood, so that end grain comes out right; worn edges; the
// workers' paint; the footprint of what is in the hand, thrown straight down; a glow for what is touched.
import {
  Color,
  DoubleSide,
  type IUniform,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  Vector2,
  Vector3,
  Vector4,
  type WebGLProgramParametersWithUniforms,
} from "three";

/** Set before anything is built: software that draws has no time for grain. */
export const plain = { wood: false };

/** What all materials share. uFoot: middle and half sizes of up to two footprints; uFootZ: the height they fall from. */
export const shared = {
  uFoot: { value: [new Vector4(), new Vector4()] },
  uFootAxis: { value: new Vector2(1, 0) },
  uFootZ: { value: -1 },
};

const noise = (): string => (plain.wood ? "float vn(vec3 p){return .5;}" : NOISE);
const NOISE = `
float h31(vec3 p){p=fract(p*vec3(.1031,.1030,.0973));p+=dot(p,p.yxz+33.33);return fract((p.x+p.y)*p.z);}
float vn(vec3 p){vec3 i=floor(p),f=fract(p);f=f*f*(3.-2.*f);
 return mix(mix(mix(h31(i),h31(i+vec3(1,0,0)),f.x),mix(h31(i+vec3(0,1,0)),h31(i+vec3(1,1,0)),f.x),f.y),
  mix(mix(h31(i+vec3(0,0,1)),h31(i+vec3(1,0,1)),f.x),mix(h31(i+vec3(0,1,1)),h31(i+vec3(1,1,1)),f.x),f.y),f.z);}
`;
const FOOT = `
uniform vec4 uFoot[2];uniform vec2 uFootAxis;uniform float uFootZ;varying vec3 vW;varying vec3 vWN;
vec3 footprint(vec3 c){
 float below=uFootZ-vW.z; if(uFootZ<0.||below<-.6||vWN.z<.35) return c;
 float d=1e3; for(int i=0;i<2;i++){ if(uFoot[i].z<=0.) continue; vec2 r=vW.xy-uFoot[i].xy;
  r=vec2(dot(r,uFootAxis),dot(r,vec2(-uFootAxis.y,uFootAxis.x)));
  vec2 q=abs(r)-uFoot[i].zw; d=min(d,length(max(q,0.))+min(max(q.x,q.y),0.)); }
 float aa=fwidth(d)+.08, k=mix(.35,1.,exp(-max(below,0.)/70.));
 float fill=(1.-smoothstep(-aa,aa,d)), line=1.-smoothstep(.45,.45+aa,abs(d+.45));
 float soft=exp(-max(d,0.)/(1.5+below*.06));
 bool dark=dot(c,vec3(.3,.6,.1))<.16; c*=1.-.20*k*soft*(1.-fill);
 c=mix(c,dark?c*1.4+vec3(.10,.13,.15):c*vec3(.52,.50,.50),fill*.72*k);
 return mix(c,dark?vec3(.62,.85,.95):vec3(.03,.10,.17),line*.95*k);}
`;
/** p in the worker's own frame; he looks towards -y. */
const PAINT = `
float bx(vec2 p,vec2 c,vec2 h,float r){vec2 q=abs(p-c)-h+r;return length(max(q,0.))+min(max(q.x,q.y),0.)-r;}
float ink(float d){return 1.-smoothstep(-fwidth(d),fwidth(d),d);}
vec3 paint(vec3 p,vec3 n){
 vec3 overall=vec3(.030,.122,.392),skin=vec3(.768,.474,.258),shirt=vec3(.84,.76,.62),boot=vec3(.075,.044,.028);
 vec3 dark=vec3(.035,.022,.02),brass=vec3(.85,.55,.10);
 bool front=n.y<-.6, back=n.y>.6; vec3 c=shirt;
 if(p.z<-19.) c=boot; else if(p.z<1.5) c=overall;
 if(p.z>8.2&&abs(p.x)<6.) c=skin;
 if(abs(p.x)>18.) c=skin;
 if(front||back){ vec2 u=p.xz;
  c=mix(c,overall,ink(bx(u,vec2(0,2.2),vec2(6.2,3.4),1.2)));
  c=mix(c,overall,ink(bx(vec2(abs(u.x),u.y),vec2(5.1,6.),vec2(1.1,4.),.2)));
  c=mix(c,dark,ink(bx(u,vec2(0,-2.6),vec2(11.2,1.1),.1)));
  c=mix(c,brass,front?ink(bx(u,vec2(0,-2.6),vec2(1.9,1.35),.4)):0.);
  c=mix(c,brass,front?ink(length(vec2(abs(u.x),u.y)-vec2(5.1,4.4))-.75):0.);
  c=mix(c,overall*.55,front?ink(abs(bx(u,vec2(0,2.6),vec2(3.,1.7),.7))-.16):0.); }
 if(p.z>9.&&n.y<-.15){ vec2 u=p.xz;
  c=mix(c,dark,ink(length(vec2(abs(u.x)-2.05,(u.y-15.2)*.82))-.68));
  float a=length(u-vec2(0,13.6))-2.5; c=mix(c,dark,ink(abs(a)-.28)*step(u.y,12.5));
  c=mix(c,vec3(.86,.30,.20),.45*ink(length(vec2(abs(u.x)-3.3,u.y-13.2))-.95)); }
 return c;}
`;
const WOOD = `
{ vec3 p=MODE==2?vO.zyx:vO; p+=vec3(uSeed*37.,0.,0.);
 vec2 c=vec2(9.+5.*sin(uSeed*9.1),14.+6.*cos(uSeed*5.7)); // the log's pith lies outside the piece
 float w=vn(p*vec3(.018,.11,.11))*5.+vn(p*vec3(.05,.3,.3))*1.2;
 float r=length(p.yz+c)+w; float ring=fract(r*.42+uSeed); ring=smoothstep(0.,.75,ring)*(1.-smoothstep(.86,1.,ring));
 float fib=vn(p*vec3(.10,2.3,2.3))*.6+vn(p*vec3(.22,5.,5.))*.4; float pore=smoothstep(.66,.92,vn(p*vec3(.16,4.2,4.2)+7.));
 gWood=(ring*.55+fib*.6-.55)*uGrain; float g=1.+gWood*.42-pore*.20*uGrain; g*=.94+.12*fract(uSeed*7.31);
 diffuseColor.rgb*=mix(vec3(1.),vec3(1.03,1.,.93),min(uGrain,1.))*g;
 vec3 e=abs(vO)-uHalf; float a=max(e.x,max(e.y,e.z)),b=max(min(e.x,e.y),max(min(e.x,e.z),min(e.y,e.z)));
 float edge=smoothstep(-1.15,-.25,b)*smoothstep(.1,.7,vn(vO*vec3(.25,.9,.9)+uSeed)+.2);
 diffuseColor.rgb=mix(diffuseColor.rgb,diffuseColor.rgb*1.25+vec3(.055,.04,.022),edge*.55*min(uGrain,1.)); }
`;
const VARY = "varying vec3 vO;varying vec3 vN0;varying vec3 vW;varying vec3 vWN;";
const PLACE =
  "vO=position;vN0=normal;vW=(modelMatrix*vec4(position,1.)).xyz;vWN=normalize(mat3(modelMatrix)*normal);";

export type Wood = MeshStandardMaterial & { userData: { u: Record<string, IUniform> } };

function dress(material: MeshStandardMaterial, mode: number, seed: number, grain: number, half?: Vector3): Wood {
  const u: Record<string, IUniform> = {
    uSeed: { value: seed },
    uHalf: { value: half ?? new Vector3(1e3, 1e3, 1e3) },
    uGlow: { value: 0 },
    uGlowInk: { value: new Color("#ffb13d") },
    uGrain: { value: grain },
  };
  material.userData.u = u;
  material.onBeforeCompile = (s: WebGLProgramParametersWithUniforms) => {
    Object.assign(s.uniforms, shared, u);
    s.vertexShader = s.vertexShader
      .replace("#include <common>", `#include <common>\n${VARY}`)
      .replace("#include <begin_vertex>", `#include <begin_vertex>\n${PLACE}`);
    const paint = mode === 2 ? PAINT : "";
    s.fragmentShader = s.fragmentShader
      .replace(
        "#include <common>",
        `#include <common>\n#define MODE ${mode}\nvarying vec3 vO;varying vec3 vN0;uniform float uSeed,uGlow,uGrain;uniform vec3 uHalf,uGlowInk;float gWood;\n${noise()}${FOOT}${paint}`,
      )
      .replace(
        "#include <color_fragment>",
        `#include <color_fragment>\n${mode === 2 ? "diffuseColor.rgb=paint(vO,normalize(vN0));" : ""}${WOOD}`,
      )
      .replace(
        "#include <roughnessmap_fragment>",
        "#include <roughnessmap_fragment>\nroughnessFactor=clamp(roughnessFactor-gWood*.22,.05,1.);",
      )
      .replace(
        "#include <opaque_fragment>",
        `outgoingLight=footprint(outgoingLight);
        { float rim=pow(1.-saturate(dot(normal,normalize(vViewPosition))),1.6); outgoingLight=mix(outgoingLight,uGlowInk,uGlow*(.30+.6*rim)); }
        #include <opaque_fragment>`,
      );
  };
  material.customProgramCacheKey = () => `wood${mode}`;
  return material as Wood;
}

export function woodOf(kind: string, ink: string, seed: number, half: Vector3): Wood {
  if (kind === "hat") {
    const plastic = new MeshPhysicalMaterial({ color: ink, roughness: 0.42, clearcoat: 0.6, clearcoatRoughness: 0.3, side: DoubleSide });
    const made = dress(plastic, 1, seed, 0);
    made.customProgramCacheKey = () => "hat";
    return made;
  }
  if (kind === "worker") return dress(new MeshStandardMaterial({ roughness: 0.62 }), 2, seed, 0.45);
  const grain: Record<string, number> = { white: 0.75, black: 1.1, beam: 1.25, support: 0.8, brick: 0.8 };
  return dress(new MeshStandardMaterial({ color: ink, roughness: 0.66 }), 0, seed, grain[kind] ?? 1, half);
}

/** Grey board with print on it: the crane, its platform, the box. stripes: 1 lattice, 2 hazard stripes, 0 bare. */
export function cardboard(ink: string, stripes: number): MeshStandardMaterial {
  const m = new MeshStandardMaterial({ color: ink, roughness: 0.86 });
  m.onBeforeCompile = (s) => {
    Object.assign(s.uniforms, shared);
    s.vertexShader = s.vertexShader
      .replace("#include <common>", `#include <common>\n${VARY}`)
      .replace("#include <begin_vertex>", `#include <begin_vertex>\n${PLACE}`);
    const print =
      stripes === 1
        ? "vec2 q=vO.z*vO.z>vO.x*vO.x?vec2(vO.z,vO.x+vO.y):vec2(vO.x,vO.y+vO.z);float t=mod(q.x,28.);float d=min(abs(t-14.-q.y*.8),abs(14.-t-q.y*.8));k=1.-smoothstep(1.1,1.1+fwidth(d),d);"
        : stripes === 2
          ? "float t=fract((vO.x+vO.y)/18.);float b=max(abs(vO.x),abs(vO.y));k=step(41.,b)*smoothstep(.48,.5,abs(t-.5)*2.);"
          : "";
    s.fragmentShader = s.fragmentShader
      .replace("#include <common>", `#include <common>\nvarying vec3 vO;varying vec3 vN0;\n${noise()}${FOOT}`)
      .replace(
        "#include <color_fragment>",
        `#include <color_fragment>\n{ float k=0.; ${print} diffuseColor.rgb=mix(diffuseColor.rgb,vec3(.03,.022,.018),k*.85); diffuseColor.rgb*=.95+.08*vn(vO*vec3(.7,.7,.7)); }`,
      )
      .replace("#include <opaque_fragment>", "outgoingLight=footprint(outgoingLight);\n#include <opaque_fragment>");
  };
  m.customProgramCacheKey = () => `board${stripes}`;
  return m;
}

export const ground = {
  uInk: { value: new Color("#61788f") },
  uMat: { value: new Color("#ffffff") },
};

/** The table with the builder's mat on it: a line every 10 mm, a stronger one every 50; far away it fades out. */
export function table(): MeshStandardMaterial {
  const m = new MeshStandardMaterial({ color: "#eee8de", roughness: 0.95, transparent: true });
  m.onBeforeCompile = (s) => {
    Object.assign(s.uniforms, shared, ground);
    s.vertexShader = s.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vW;varying vec3 vWN;")
      .replace(
        "#include <begin_vertex>",
        "#include <begin_vertex>\nvW=(modelMatrix*vec4(position,1.)).xyz;vWN=vec3(0,0,1);",
      );
    s.fragmentShader = s.fragmentShader
      .replace(
        "#include <common>",
        `#include <common>\nuniform vec3 uInk,uMat;${noise()}${FOOT}
        float gl(float x,float step,float w){float d=abs(fract(x/step-.5)-.5)*step;float f=fwidth(x);return (1.-smoothstep(w,w+f,d))*clamp(w*3./f,0.,1.);}`,
      )
      .replace(
        "#include <color_fragment>",
        `#include <color_fragment>
        { vec2 p=vW.xy; float n=vn(vec3(p*.9,1.))*.5+vn(vec3(p*.11,2.))*.5; diffuseColor.rgb*=.965+.05*n;
          float fibre=smoothstep(.78,.9,vn(vec3(p.x*.35+p.y*.1,p.y*1.3,3.)))*.04; diffuseColor.rgb*=1.-fibre;
          vec2 q=abs(p)-vec2(165.,150.); float box=length(max(q,0.))+min(max(q.x,q.y),0.)-10.; float inside=1.-smoothstep(-.5,.5,box);
          diffuseColor.rgb*=mix(vec3(1.),uMat,inside);
          float g=max(gl(p.x,10.,.14),gl(p.y,10.,.14))*.22+max(gl(p.x,50.,.3),gl(p.y,50.,.3))*.34;
          float frame=1.-smoothstep(.5,.5+fwidth(box),abs(box)); frame=max(frame,(1.-smoothstep(.2,.2+fwidth(box),abs(box-4.)))*.7);
          diffuseColor.rgb=mix(diffuseColor.rgb,uInk,min(1.,g*inside+frame*.6)); }
        diffuseColor.a*=1.-smoothstep(470.,820.,length(vW.xy));`,
      )
      .replace("#include <opaque_fragment>", "outgoingLight=footprint(outgoingLight);\n#include <opaque_fragment>");
  };
  return m;
}
