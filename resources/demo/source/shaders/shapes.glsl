// Signed distances of shapes, and ways to join them.

float sphere(vec3 p, float r) { return length(p) - r; }

float box(vec3 p, vec3 half_, float round_) {
  vec3 q = abs(p) - half_ + round_;
  return length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0) - round_;
}

float box2(vec2 p, vec2 half_) {
  vec2 q = abs(p) - half_;
  return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0);
}

float cylinder(vec3 p, float r, float h, float round_) {
  vec2 q = abs(vec2(length(p.xz), p.y)) - vec2(r, h) + round_;
  return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - round_;
}

float capsule(vec3 p, vec3 a, vec3 b, float r) {
  vec3 q = p - a, d = b - a;
  return length(q - d * clamp(dot(q, d) / dot(d, d), 0.0, 1.0)) - r;
}

/** A capsule that goes from radius `ra` to `rb`. */
float limb(vec3 p, vec3 a, vec3 b, float ra, float rb) {
  vec3 q = p - a, d = b - a;
  float t = clamp(dot(q, d) / dot(d, d), 0.0, 1.0);
  return length(q - d * t) - mix(ra, rb, t);
}

float ellipsoid(vec3 p, vec3 r) {
  float k = length(p / r);
  return k * (k - 1.0) / length(p / (r * r));
}

float torus(vec3 p, float r, float thick) { return length(vec2(length(p.xz) - r, p.y)) - thick; }

float blend(float a, float b, float k) {
  float h = max(k - abs(a - b), 0.0) / k;
  return min(a, b) - h * h * k * 0.25;
}

float carve(float a, float b, float k) { return -blend(-a, b, k); }

float segment(vec2 p, vec2 a, vec2 b) {
  vec2 q = p - a, d = b - a;
  return length(q - d * clamp(dot(q, d) / dot(d, d), 0.0, 1.0));
}

/** Keeps the nearer of two (distance, name) pairs. */
vec2 nearer(vec2 a, vec2 b) { return a.x < b.x ? a : b; }
