// A path tracer over signed distances. A scene says what is where (`map`: distance and name), what it is made of
// (`matter`), what surrounds it (`sky`) and what stands in the way of its key light (`gobo`).
#include "camera.glsl"

struct Matter {
  vec3 albedo;
  float gloss;   // reflectance of a clear coat seen from the front, 0..1; 1 is a mirror
  float rough;   // of that coat
  float glass;   // 1: refracts, tinted by albedo
  vec3 glow;
  float through; // share of light that passes a thin body
};

/** A light at infinity: direction to it, colour, and the tangent of its angular radius. */
struct Key {
  vec3 to;
  vec3 colour;
  float size;
};

vec2 map(vec3 p);
Matter matter(float name, vec3 p, inout vec3 n);
vec3 sky(vec3 d);
float gobo(vec3 p, vec3 to);

#ifndef REACH
#define REACH 40.0
#endif
#ifndef BOUNCES
#define BOUNCES 3
#endif
#ifndef STEPS
#define STEPS 90
#endif

vec3 normalAt(vec3 p) {
  vec2 e = vec2(1, -1) * 0.0007;
  return normalize(e.xyy * map(p + e.xyy).x + e.yyx * map(p + e.yyx).x + e.yxy * map(p + e.yxy).x + e.xxx * map(p + e.xxx).x);
}

/** Walks until a surface; gives (distance, name) or a negative distance. `side` is -1 inside a body. */
vec2 march(Ray ray, float side, int steps) {
  float t = 0.002;
  for (int i = 0; i < steps; i++) {
    vec2 m = map(ray.from + t * ray.along);
    float d = m.x * side;
    if (d < 0.0004 * (1.0 + t)) return vec2(t, m.y);
    t += d;
    if (t > REACH) break;
  }
  return vec2(-1.0, 0.0);
}

vec3 around(vec3 n, vec2 u, float power) {
  float z = pow(1.0 - u.x, 1.0 / (power + 1.0)), r = sqrt(max(0.0, 1.0 - z * z)), a = 6.2832 * u.y;
  vec3 t = normalize(cross(n, abs(n.y) < 0.9 ? vec3(0, 1, 0) : vec3(1, 0, 0)));
  return normalize(t * r * cos(a) + cross(n, t) * r * sin(a) + n * z);
}

vec3 towards(Key key, vec2 u) {
  vec3 t = normalize(cross(key.to, vec3(0.3, 0.1, 0.9))), s = cross(key.to, t);
  float r = key.size * sqrt(u.x);
  return normalize(key.to + r * (t * cos(6.2832 * u.y) + s * sin(6.2832 * u.y)));
}

/** How much of the key light arrives; glass lets most of it pass, less where it is seen edge-on. */
float clearWay(vec3 p, vec3 to) {
  float t = 0.004, left = 1.0;
  for (int i = 0; i < 64; i++) {
    vec3 q = p + t * to;
    vec2 m = map(q);
    if (m.x < 0.0006) {
      vec3 n = normalAt(q);
      Matter stuff = matter(m.y, q, n);
      if (stuff.glass < 0.5) return 0.0;
      left *= mix(0.25, 0.93, pow(abs(dot(n, to)), 0.6)) * dot(stuff.albedo, vec3(0.333));
      t += max(abs(m.x), 0.0) + 0.03;
    } else t += max(m.x, 0.002);
    if (t > REACH * 0.5) break;
  }
  return left;
}

vec3 trace(Ray ray, Key key) {
  vec3 seen = vec3(0.0), carried = vec3(1.0);
  float side = 1.0;
  bool direct = true, scattered = false;
  for (int bounce = 0; bounce <= BOUNCES; bounce++) {
    vec2 hit = march(ray, side, bounce == 0 ? STEPS : STEPS * 2 / 3);
    if (hit.x < 0.0) {
      vec3 beyond = sky(ray.along);
      if (direct && !scattered && bounce > 0 && dot(ray.along, key.to) > cos(atan(key.size)))
        beyond += key.colour / (PI * key.size * key.size) * gobo(ray.from, ray.along);
      return seen + carried * min(beyond, vec3(scattered ? 4.0 : 20.0));
    }
    vec3 p = ray.from + hit.x * ray.along;
    vec3 n = normalAt(p) * side;
    Matter stuff = matter(hit.y, p, n);
    seen += carried * stuff.glow;
    float facing = clamp(dot(-ray.along, n), 0.0, 1.0);
    float fresnel = stuff.gloss + (1.0 - stuff.gloss) * pow(1.0 - facing, 5.0) * step(0.001, stuff.gloss);
    if (stuff.glass > 0.5) {
      vec3 bent = refract(ray.along, n, side > 0.0 ? 1.0 / 1.5 : 1.5);
      direct = true;
      if (bent == vec3(0.0) || random() < fresnel) {
        ray = Ray(p + n * 0.002, reflect(ray.along, n));
      } else {
        carried *= side > 0.0 ? vec3(1.0) : stuff.albedo;
        side = -side;
        ray = Ray(p - n * 0.003, bent);
      }
      continue;
    }
    if (random() < fresnel * (1.0 - 0.6 * stuff.rough)) {
      vec3 mirror = reflect(ray.along, n);
      vec3 out_ = stuff.rough > 0.0 ? around(mirror, random2(), 2.0 / pow(stuff.rough, 4.0)) : mirror;
      if (dot(out_, n) <= 0.0) out_ = mirror;
      if (stuff.gloss > 0.5) carried *= stuff.albedo;
      direct = stuff.rough < 0.25;
      ray = Ray(p + n * 0.002, out_);
      if (!direct) {
        float lit = pow(max(dot(mirror, key.to), 0.0), 2.0 / pow(stuff.rough, 4.0));
        seen += carried * key.colour * lit * 0.5 * clearWay(p + n * 0.003, key.to) * gobo(p, key.to);
      }
      continue;
    }
    carried *= stuff.albedo;
    bool passes = stuff.through > 0.0 && random() < stuff.through;
    vec3 leaving = passes ? -n : n;
    vec3 to = towards(key, bounce == 0 ? spread(lightDrift) : random2());
    float cosine = dot(leaving, to);
    if (cosine > 0.0) {
      float open = gobo(p, to);
      if (open > 0.0) seen += carried * key.colour / PI * cosine * open * clearWay(p + leaving * (passes ? 0.03 : 0.003), to);
    }
    ray = Ray(p + leaving * (passes ? 0.03 : 0.003), around(leaving, random2(), 1.0));
    direct = false;
    scattered = true;
  }
  return seen;
}
